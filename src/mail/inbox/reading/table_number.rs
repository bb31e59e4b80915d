//! Which table of a digest a reply is for. The first line names it by its number (`2: end`); which table that is, the digest itself says:
//! it names the reply address of each, in its order, and is quoted below.

/// The most tables of a digest, and so the most addresses that are looked for.
const MOST_TABLES: usize = 20;

/// The length of what stands in a seat's address before the @.
const LENGTH: usize = 63;

/// The number that the first line of a text begins with, and the text without it.
pub fn numbered(text: &str) -> Option<(usize, String)> {
    let begin = text.len() - text.trim_start().len();
    let (line, rest) = text[begin..].split_once('\n').unwrap_or((&text[begin..], ""));
    let (number, line) = split_number(line)?;
    // Further lines may name the same table again, and none may name another.
    let mut whole = format!("{line}\n");
    for line in rest.lines() {
        match split_number(line) {
            Some((again, line)) if again == number => whole.push_str(line),
            Some(_) => break,
            None => whole.push_str(line),
        }
        whole.push('\n');
    }
    Some((number, whole))
}

fn split_number(line: &str) -> Option<(usize, &str)> {
    let (number, line) = line.trim_start().split_once(':')?;
    let number: usize = Some(number.trim()).filter(|number| number.len() <= 2)?.parse().ok()?;
    (1..=MOST_TABLES).contains(&number).then(|| (number, line.trim_start()))
}

/// Adds what looks like the address of a seat in a text, in its order and each once.
pub fn collect_addresses(text: &str, addresses: &mut Vec<String>) {
    let is_local = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
    for (place, _) in text.match_indices('@') {
        if addresses.len() == MOST_TABLES {
            return;
        }
        let Some(local) = place.checked_sub(LENGTH).and_then(|begin| text.get(begin..place)) else { continue };
        if !local.starts_with("m-") || !local.chars().all(is_local) {
            continue;
        }
        let domain = &text[place + 1..];
        let is_domain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '.');
        let domain = &domain[..domain.find(|sign| !is_domain(sign)).unwrap_or(domain.len())];
        let address = format!("{local}@{}", domain.trim_end_matches('.'));
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_names_the_table() {
        assert_eq!(numbered("2: end\nThanks"), Some((2, "end\nThanks\n".to_owned())));
        assert_eq!(numbered("\n 2 : draw\n2: end\n3: end\n"), Some((2, "draw\nend\n".to_owned())));
        for text in ["end", "", "contest: pass", "0: end", "21: end", "2 end", "end\n2: end", "-1: end", "123: end"] {
            assert_eq!(numbered(text), None, "{text}");
        }
    }

    #[test]
    fn addresses_are_found_in_their_order() {
        let address = |sign: char| format!("m-{}@in.example.org", sign.to_string().repeat(LENGTH - 2));
        let text = format!(
            "> Or send it to {} (or not)\n<mailto:{}?x>, {}.\nx@y m-short@in.example.org @",
            address('b'),
            address('a'),
            address('b')
        );
        let mut found = Vec::new();
        collect_addresses(&text, &mut found);
        assert_eq!(found, [address('b'), address('a')]);
        collect_addresses(&"@".repeat(1_000_000), &mut found);
        assert_eq!(found.len(), 2);
    }
}
