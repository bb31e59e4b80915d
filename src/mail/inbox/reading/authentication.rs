//! Who wrote a message, as our own mail server found it (RFC 8601). Only the topmost note under its name is believed: whatever
//! stands below may have come with the message.

/// Whether a trusted server found that a message comes from the domain it says it is from. `notes` are the values of the message's
/// `Authentication-Results`, the topmost first.
pub fn passes<'a>(notes: impl IntoIterator<Item = &'a str>, authserv_id: &str, from_domain: &str) -> bool {
    let ours = notes.into_iter().find_map(|note| {
        let note = without_comments(note);
        let (id, results) = note.split_once(';')?;
        // The name may be followed by a version.
        let id = id.split_whitespace().next()?;
        id.eq_ignore_ascii_case(authserv_id).then(|| results.to_ascii_lowercase())
    });
    let Some(results) = ours else { return false };
    let from = from_domain.to_ascii_lowercase();
    results.split(';').any(|result| vouches(result, &from))
}

/// Whether one result, such as `dkim=pass header.d=example.org`, vouches for a domain.
fn vouches(result: &str, from: &str) -> bool {
    let mut words = result.split_whitespace();
    let Some((method, "pass")) = words.next().and_then(|word| word.split_once('=')) else { return false };
    let property = |name: &str| {
        let mut properties = result.split_whitespace().filter_map(|word| word.split_once('='));
        properties.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
    };
    let domain = match method.split('/').next().unwrap_or_default() {
        "dmarc" => property("header.from").or_else(|| Some(from.to_owned())),
        "dkim" => property("header.d").or_else(|| property("header.i").map(|value| domain_of(&value))),
        "spf" => property("smtp.mailfrom").or_else(|| property("smtp.mail")).map(|value| domain_of(&value)),
        _ => None,
    };
    domain.is_some_and(|domain| is_over(&domain, from))
}

fn domain_of(address: &str) -> String {
    address.rsplit_once('@').map_or(address, |(_, domain)| domain).to_owned()
}

/// Whether a domain is another, or stands above it. Below would not do: on some domains anybody may have a name.
fn is_over(domain: &str, from: &str) -> bool {
    let parent = || domain.contains('.') && from.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'));
    !domain.is_empty() && (domain == from || parent())
}

/// A header without what stands in brackets, on one line, and with nothing in quotes that could be taken for a result: the reasons
/// that a server gives may quote the message.
fn without_comments(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for sign in value.chars() {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' if depth == 0 => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            ';' | '=' if quoted => plain.push('_'),
            sign if sign.is_whitespace() => plain.push(if quoted { '_' } else { ' ' }),
            sign => plain.push(sign),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_example(notes: &[&str]) -> bool {
        passes(notes.iter().copied(), "mx.house.example", "example.org")
    }

    #[test]
    fn an_aligned_pass_of_any_method_will_do() {
        for note in [
            "mx.house.example; dkim=pass (good) header.d=example.org header.s=k; spf=fail smtp.mailfrom=example.org",
            "mx.house.example 1;\r\n\tspf=pass (x; y) smtp.mailfrom=alice@example.org",
            "MX.House.Example; dmarc=pass (p=none) header.from=example.org",
            "mx.house.example; dkim=fail header.d=example.org; dkim=pass header.i=@example.org",
        ] {
            assert!(from_example(&[note]), "{note}");
        }
        assert!(passes(["mx; dkim=pass header.d=example.org"], "mx", "mail.example.org"));
    }

    #[test]
    fn what_is_not_aligned_or_not_ours_does_not_count() {
        for note in [
            "",
            "mx.house.example; none",
            "mx.house.example; spf=pass smtp.mailfrom=evil.example",
            "mx.house.example; dkim=pass header.d=evil.example; dmarc=fail header.from=example.org",
            "mx.house.example; dkim=pass header.d=sub.example.org",
            "mx.house.example; dkim=pass header.d=org",
            "mx.house.example; dkim=pass header.d=notexample.org",
            "mx.house.example; iprev=pass policy.iprev=example.org",
            "mx.house.example; x=fail (dkim=pass header.d=example.org)",
            "mx.house.example; x=fail (a(b); dkim=pass header.d=example.org)",
            "mx.house.example; dkim=fail reason=\"no; dkim=pass header.d=example.org\" header.d=evil.example",
            "mx.house.example; dkim=fail reason=\"a\\\"; dkim=pass header.d=example.org\"",
            "other.example; dkim=pass header.d=example.org",
        ] {
            assert!(!from_example(&[note]), "{note}");
        }
        assert!(!from_example(&[]));
    }

    #[test]
    fn only_the_topmost_note_of_our_server_is_believed() {
        let (fails, passes) =
            ("mx.house.example; dkim=fail header.d=example.org", "mx.house.example; dkim=pass header.d=example.org");
        assert!(from_example(&["other.example; dkim=fail", passes, fails]));
        assert!(!from_example(&[fails, passes]));
    }
}
