//! The moves that a letter lists: all of them, or of each sort some.

/// The most moves that a letter lists.
const MOST_MOVES: usize = 40;

/// Moves that begin with the same word.
#[derive(Debug, PartialEq, Eq)]
pub struct MoveGroup {
    pub moves: Vec<String>,
    /// How many more of them there are.
    pub more: usize,
    /// What all of them begin with.
    pub word: String,
}

/// Sorts moves into groups and lists a fair share of each if there are too many.
pub fn groups(mut moves: Vec<String>) -> Vec<MoveGroup> {
    moves.sort_unstable_by(|a, b| natural(a).cmp(&natural(b)));
    let mut groups: Vec<MoveGroup> = Vec::new();
    for line in moves {
        let word = line.split_whitespace().next().unwrap_or_default();
        match groups.last_mut().filter(|group| group.word == word) {
            Some(group) => group.moves.push(line),
            None => groups.push(MoveGroup { word: word.to_owned(), moves: vec![line], more: 0 }),
        }
    }
    let mut room = MOST_MOVES;
    let mut left = groups.len();
    // Small groups first, so that what they do not need is for the large ones.
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|place| groups[*place].moves.len());
    for place in order {
        let group = &mut groups[place];
        let share = (room / left).max(1);
        group.more = group.moves.len().saturating_sub(share);
        group.moves.truncate(share);
        room = room.saturating_sub(group.moves.len());
        left -= 1;
    }
    groups
}

/// “place 2” before “place 10”.
fn natural(line: &str) -> Vec<(u64, &str)> {
    line.split_whitespace()
        .map(|word| {
            let digits = word.bytes().take_while(u8::is_ascii_digit).count();
            (word[..digits].parse().unwrap_or(0), &word[digits..])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(word: &str, count: usize) -> Vec<String> {
        (1..=count).map(|number| format!("{word} {number}")).collect()
    }

    #[test]
    fn few_moves_are_all_listed_and_in_order() {
        let groups = groups([lines("place", 12), vec!["draw".into()]].concat());
        assert_eq!(groups[0], MoveGroup { word: "draw".into(), moves: vec!["draw".into()], more: 0 });
        assert_eq!(groups[1].moves, lines("place", 12));
    }

    #[test]
    fn of_many_moves_each_sort_is_shown() {
        let groups = groups([lines("attack", 100), lines("place", 30), vec!["draw".into()]].concat());
        let shown: usize = groups.iter().map(|group| group.moves.len()).sum();
        assert_eq!(shown, MOST_MOVES);
        let of = |word: &str| groups.iter().find(|group| group.word == word).unwrap();
        assert_eq!((of("draw").moves.len(), of("draw").more), (1, 0));
        assert_eq!((of("place").moves.len(), of("place").more), (19, 11));
        assert_eq!((of("attack").moves.len(), of("attack").more), (20, 80));
    }

    #[test]
    fn no_moves_make_no_groups() {
        assert!(groups(Vec::new()).is_empty());
    }
}
