//! A page of ours to go back to. It comes from addresses and forms, so anything may stand there; only a path on this very house is taken.

use actix_web::HttpRequest;
use actix_web::http::header::{HOST, REFERER};

/// Longer paths are not gone back to.
const LONGEST: usize = 300;

/// There is nothing to go back to here.
const NO_WAY_BACK: [&str; 4] = ["/sign-in", "/sign-out", "/api/", "/static/"];

/// A path with its query, on this house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalPath(String);

impl LocalPath {
    pub fn parse(text: &str) -> Option<LocalPath> {
        // Two slashes, or a slash and a backslash, begin the name of another house.
        let is_ours = text.starts_with('/') && !text[1..].starts_with('/') && !text.contains('\\');
        let is_plain = text.len() <= LONGEST && text.bytes().all(|byte| byte.is_ascii_graphic());
        let leads_back = !NO_WAY_BACK.iter().any(|place| text.starts_with(place));
        (is_ours && is_plain && leads_back).then(|| LocalPath(text.to_owned()))
    }

    /// The page from which a request came, if it was one of ours.
    pub fn before(request: &HttpRequest) -> Option<LocalPath> {
        let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
        let (_, rest) = text(REFERER)?.split_once("://")?;
        let path = rest.strip_prefix(text(HOST)?)?;
        LocalPath::parse(path)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn only_a_page_of_ours_is_gone_back_to() {
        for path in ["/", "/me", "/t/0123?begun=card%209C#board", "/archive?game=&page=1", "/.//evil.example"] {
            assert_eq!(LocalPath::parse(path).as_ref().map(LocalPath::as_str), Some(path));
        }
        for path in [
            "",
            "me",
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "/a\\b",
            "\\\\evil.example",
            "https://evil.example/",
            "javascript:alert(1)",
            " /me",
            "/\t/evil.example",
            "/me\r\nset-cookie: a=b",
            "/ö",
            "/sign-in/code",
            "/sign-out",
            "/api/v1/me",
        ] {
            assert_eq!(LocalPath::parse(path), None, "{path:?}");
        }
        assert_eq!(LocalPath::parse(&format!("/{}", "x".repeat(300))), None);
    }

    #[test]
    fn a_page_before_this_one_counts_if_it_was_ours() {
        let before = |referer: &str| {
            let request =
                TestRequest::default().insert_header((HOST, "house.example")).insert_header((REFERER, referer));
            LocalPath::before(&request.to_http_request()).map(|path| path.0)
        };
        assert_eq!(before("https://house.example/archive?page=2").as_deref(), Some("/archive?page=2"));
        for elsewhere in
            ["https://evil.example/archive", "https://house.example.evil.example/", "https://house.example", "nonsense"]
        {
            assert_eq!(before(elsewhere), None, "{elsewhere}");
        }
    }
}
