//! What a card would do in a fight: the totals that may come of it, each as likely as the others.

use super::moves::Move;
use super::room::Room;
use super::treasure::{Change, Die, Kind, Treasure};
use super::view::{FightView, SideView};

/// The Power of the players against that of the monster.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    pub ours: u8,
    pub theirs: u8,
}

impl Totals {
    pub fn now(fight: &FightView) -> Totals {
        Totals { ours: fight.players_power(), theirs: fight.monster_power }
    }

    /// MW-31: equal is enough.
    pub const fn wins(self) -> bool {
        self.ours >= self.theirs
    }

    pub const fn short(self) -> u8 {
        self.theirs.saturating_sub(self.ours)
    }

    const fn plus(self, more: u8) -> Totals {
        Totals { ours: self.ours.saturating_add(more), ..self }
    }

    const fn minus(self, less: u8) -> Totals {
        Totals { ours: self.ours.saturating_sub(less), ..self }
    }
}

const FACES: std::ops::RangeInclusive<u8> = 1..=6;

/// What a move of the player of this side may make of the totals; nothing if it leaves them alone.
pub fn prospects(fight: &FightView, side: &SideView, mv: &Move) -> Vec<Totals> {
    let now = Totals::now(fight);
    match mv {
        Move::Play { friend, instead } => {
            let gone = instead.map_or(0, |old| old.bonus_in(fight.room));
            vec![now.plus(friend.bonus_in(fight.room)).minus(gone)]
        }
        Move::Use { card, on } => of_card(fight, side, now, *card, *on),
        Move::Go(_)
        | Move::Recover { .. }
        | Move::Ask(_)
        | Move::Help
        | Move::Refuse
        | Move::Done
        | Move::Take(_)
        | Move::Run
        | Move::Discard(_) => vec![],
    }
}

fn of_card(fight: &FightView, side: &SideView, now: Totals, card: Treasure, on: Option<Room>) -> Vec<Totals> {
    match card.kind() {
        Kind::Boost { .. } => vec![now.plus(card.bonus_in(fight.room))],
        Kind::Dice { roll: 1 } => FACES.map(|face| now.plus(face)).collect(),
        // Two dice, of which the higher counts.
        Kind::Dice { .. } => FACES.flat_map(|one| FACES.map(move |other| now.plus(one.max(other)))).collect(),
        Kind::Changer { .. } => {
            let (die, value) = match on {
                None => (Die::Fight, side.dice.last().copied().unwrap_or(0)),
                Some(_) => (Die::Monster, fight.die.unwrap_or(0)),
            };
            let Some(change) = card.change_on(die) else { return vec![] };
            let becomes = |to: u8| match die {
                Die::Monster => Totals { theirs: now.theirs.saturating_sub(value).saturating_add(to), ..now },
                _ => now.minus(value).plus(to),
            };
            match change {
                Change::Reroll => FACES.map(becomes).collect(),
                Change::Add { .. } | Change::Flip => change.of(value).map(becomes).into_iter().collect(),
            }
        }
        Kind::Friend { .. } | Kind::Escape { .. } | Kind::Recover => vec![],
    }
}

/// How many of the prospects win.
pub fn winning(prospects: &[Totals]) -> usize {
    prospects.iter().filter(|totals| totals.wins()).count()
}

/// The prospects in words: “10 against 9: that wins”.
pub fn words(prospects: &[Totals]) -> Option<String> {
    let (first, last) = (prospects.first()?, prospects.last()?);
    if prospects.len() == 1 {
        let Totals { ours, theirs } = *first;
        return Some(if first.wins() {
            format!("{ours} against {theirs}: that wins")
        } else {
            format!("{ours} against {theirs}: {} short", first.short())
        });
    }
    let wins = winning(prospects);
    let of = prospects.len();
    let range = if first.theirs == last.theirs {
        format!("{} to {} against {}", first.ours, last.ours, first.theirs)
    } else {
        format!("{} against {} to {}", first.ours, first.theirs, last.theirs)
    };
    Some(match wins {
        0 => format!("{range}: cannot win alone"),
        _ if wins == of => format!("{range}: that wins"),
        1 => format!("{range}: wins once in {of}"),
        _ => format!("{range}: wins {wins} times in {of}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wonderpost_rules::Seat;

    fn fight(dice: &[u8], power: u8) -> FightView {
        FightView {
            room: "bandersnatch".parse().unwrap(),
            monsters: vec![],
            die: Some(5),
            monster_power: 12,
            fighter: SideView { seat: Seat::new(1).unwrap(), dice: dice.to_vec(), used: vec![], power },
            helper: None,
            can_ask: vec![],
            asked: vec![],
            refused: vec![],
        }
    }

    fn told(line: &str) -> String {
        let fight = fight(&[2, 3], 8);
        words(&prospects(&fight, &fight.fighter, &line.parse().unwrap())).unwrap_or_default()
    }

    #[test]
    fn cards_tell_what_they_would_do() {
        assert_eq!(told("use soup"), "12 against 12: that wins");
        assert_eq!(told("use net"), "15 against 12: that wins");
        assert_eq!(told("use teacup"), "10 against 12: 2 short");
        assert_eq!(told("use flamingo"), "9 to 14 against 12: wins 3 times in 6");
        assert_eq!(told("use hedgehog"), "9 to 14 against 12: wins 27 times in 36");
        assert_eq!(told("use cake"), "10 against 12: 2 short");
        assert_eq!(told("use looking-glass on bandersnatch"), "8 against 9: 1 short");
        assert_eq!(told("use watch on bandersnatch"), "8 against 8 to 13: wins once in 6");
        assert_eq!(told("play gryphon"), "12 against 12: that wins");
        assert_eq!(told("play gryphon for bill"), "11 against 12: 1 short");
        assert_eq!(told("use grin"), "");
    }
}
