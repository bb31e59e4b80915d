//! A link as a QR code, for somebody on the other side of the table.

use qrcode::{Color, EcLevel, QrCode};

/// How many modules of white a reader needs around it.
const MARGIN: usize = 4;

/// An SVG of a link; nothing if it is too long for a code.
pub fn svg(link: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(link, EcLevel::M).ok()?;
    let width = code.width();
    let mut path = String::new();
    for (place, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            path.push_str(&format!("M{} {}h1v1h-1z", place % width + MARGIN, place / width + MARGIN));
        }
    }
    let side = width + 2 * MARGIN;
    // Dark on light in both themes: many readers take nothing else.
    Some(format!(
        "<svg class=\"qr\" viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"The link as a QR code\" \
         shape-rendering=\"crispEdges\"><rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/>\
         <path d=\"{path}\" fill=\"#000\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_link_is_drawn_and_what_is_too_long_is_not() {
        let svg = super::svg("https://post.example/i/abcdefghijklmnopqrstuvwxyz234567").expect("a code");
        assert!(svg.starts_with("<svg") && svg.matches('M').count() > 200, "{svg}");
        assert!(super::svg(&"x".repeat(5_000)).is_none());
    }
}
