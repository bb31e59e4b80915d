//! What a line that is no move was probably meant to be: the one legal move that differs from it by a slip or two. It is offered, and
//! never made before its writer has said yes.

/// The longest line that is compared. Longer ones are sentences.
const LONGEST: usize = 60;

/// The most legal moves that a line is compared with.
const MOST_COMPARED: usize = 2_000;

/// The one legal move that was probably meant; `None` if there is none, or several are as near.
pub fn probably_meant<'a>(line: &str, legal: &'a [String]) -> Option<&'a str> {
    let line = folded(line);
    let length = line.chars().count();
    if length == 0 || length > LONGEST {
        return None;
    }
    // One slip in a short line, two in one of some words.
    let most = if length < 4 { 0 } else { 1 + usize::from(length >= 8) };
    let (mut best, mut alone) = (None, true);
    for mv in legal.iter().take(MOST_COMPARED) {
        let slips = slips_between(&line, &folded(mv));
        match best {
            Some((fewest, _)) if slips > fewest => {}
            Some((fewest, _)) if slips == fewest => alone = false,
            _ => (best, alone) = (Some((slips, mv.as_str())), true),
        }
    }
    best.filter(|(slips, _)| *slips <= most && alone).map(|(_, mv)| mv)
}

fn folded(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// How many letters are wrong, missing, too many, or in the place of their neighbour.
fn slips_between(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().take(2 * LONGEST).collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, sign) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, there) in other.iter().enumerate() {
            let mut fewest = (last[j] + usize::from(sign != there)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *sign == other[j - 1] && one[i - 1] == *there {
                fewest = fewest.min(before_last[j - 1] + 1);
            }
            row.push(fewest);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(line: &str) -> Option<String> {
        let legal = ["draw", "end", "attack 1 10C", "attack 1 QS", "attack 2 10C", "place 9C", "place 9H"];
        let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
        probably_meant(line, &legal).map(str::to_owned)
    }

    #[test]
    fn a_slip_is_recognised() {
        assert_eq!(meant("atack 1 10C").as_deref(), Some("attack 1 10C"));
        assert_eq!(meant("Attakc 1 qs").as_deref(), Some("attack 1 QS"));
        assert_eq!(meant("drwa").as_deref(), Some("draw"));
        assert_eq!(meant("attack 1  1oC").as_deref(), Some("attack 1 10C"));
    }

    #[test]
    fn where_several_could_be_meant_none_is() {
        assert_eq!(meant("place 9"), None);
        assert_eq!(meant("attack 3 10C"), None);
    }

    #[test]
    fn sentences_and_short_words_are_not_compared() {
        for line in ["", "ed", "and", "Thank you for the game!", "On Monday somebody wrote:", &"draw ".repeat(40)] {
            assert_eq!(meant(line), None, "{line}");
        }
    }
}
