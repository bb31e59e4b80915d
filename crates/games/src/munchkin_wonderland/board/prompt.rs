//! What there is to do, in a heading and a sentence.

use super::super::named::list;
use super::super::phase::RollKind;
use super::super::phase::Step;
use super::Sight;
use super::begun::Begun;
use super::control::Face;
use wonderpost_rules::Seat;

pub struct Prompt {
    /// The roll, as a die.
    pub die: Option<Face>,
    pub title: String,
    pub words: String,
    pub over: bool,
}

fn marks(seats: &[Seat]) -> String {
    list(&seats.iter().map(|seat| seat.mark().to_string()).collect::<Vec<_>>())
}

impl Prompt {
    pub fn new(sight: &Sight) -> Prompt {
        let (view, table) = (sight.view, &sight.view.table);
        let asked = view.prompt.is_some();
        let a = table.turn.mark();
        let die = table.roll.map(|roll| Face { value: roll.value });
        let (title, words) = if let Some(roll) = table.roll {
            rolled(sight, roll.kind, roll.value)
        } else if let Some(fight) = &table.fight {
            let (monster, gap) = (fight.room.monster(), fight.gap());
            match view.phase {
                Step::Help if asked => (
                    format!("{a} asks for your help"),
                    format!(
                        "Against {monster} {gap} more is needed. If you help you are moved into the Room, roll a die, and choose one of \
                         the Treasures if it is won. What you answer stays secret until it is settled."
                    ),
                ),
                Step::Help => {
                    let answer = view.mine.as_ref().and_then(|mine| mine.answer);
                    let mine = match answer {
                        Some("help") => "You have said that you will help. ",
                        Some(_) => "You have said that you will not help. ",
                        None => "",
                    };
                    let words = format!("{mine}Not heard yet: {}.", marks(&view.awaiting));
                    (format!("{a} has called for help against {monster}"), words)
                }
                Step::Assist if asked => (
                    format!("You help {a} against {monster}"),
                    format!("{gap} more is needed. Use what you like from your hand, then say that you are done."),
                ),
                Step::Assist => {
                    let helper = marks(&view.awaiting);
                    (format!("{helper} helps {a} against {monster}"), format!("{helper} may use cards now."))
                }
                _ if asked => match &sight.begun {
                    Begun::Ask(_) => {
                        ("Calling for help".to_owned(), "The first in this order who is willing comes.".to_owned())
                    }
                    Begun::Thimble => {
                        ("The Dodo's Thimble".to_owned(), "Choose what it brings back from the discards.".to_owned())
                    }
                    Begun::Nothing if fight.can_ask.is_empty() => {
                        (format!("You are {gap} short against {monster}"), "Use what you have, or run.".to_owned())
                    }
                    Begun::Nothing => (
                        format!("You are {gap} short against {monster}"),
                        "Use what you have, call for help, or run.".to_owned(),
                    ),
                },
                _ => (format!("{a} fights {monster}"), format!("{gap} more is needed.")),
            }
        } else if let Some(share) = &table.share {
            let (helper, monster) = (share.helper.mark(), share.room.monster());
            if asked {
                (
                    format!("You and {a} have beaten {monster}"),
                    format!("Take one of these Treasures; {a} gets the others."),
                )
            } else {
                (
                    format!("{a} and {helper} have beaten {monster}"),
                    format!("{helper} takes one of these Treasures, {a} gets the others."),
                )
            }
        } else if view.over {
            ended(sight)
        } else if asked {
            ("You got away".to_owned(), "But a card is lost: choose which.".to_owned())
        } else {
            (format!("{a} got away"), format!("{a} chooses a card to lose."))
        };
        Prompt { die, title, words, over: view.over }
    }
}

fn rolled(sight: &Sight, kind: RollKind, value: u8) -> (String, String) {
    let table = &sight.view.table;
    let a = table.turn.mark();
    let place = table.places[table.turn.index()].name();
    if sight.view.prompt.is_none() {
        return match kind {
            RollKind::Move => {
                (format!("{a} has rolled {value}"), format!("{a} is at {place} and chooses where to go."))
            }
            RollKind::Entrance => (
                format!("{a} is in the Entrance: {value}"),
                "The roll picks the Room, unless a card changes it.".to_owned(),
            ),
            RollKind::Run => (format!("{a} runs with a {value}"), format!("{a} chooses where to hide.")),
        };
    }
    if sight.begun == Begun::Thimble {
        return ("The Dodo's Thimble".to_owned(), "Choose what it brings back from the discards.".to_owned());
    }
    match kind {
        RollKind::Move => (
            format!("You have rolled {value}"),
            format!("You are at {place}. Choose where to go, on the board or here."),
        ),
        RollKind::Entrance => (
            format!("The Entrance roll is {value}"),
            "Go there to fight, or change the roll with a card first.".to_owned(),
        ),
        RollKind::Run => (
            format!("You run with a {value}"),
            "Choose where to hide. Nothing happens there, but you lose a card.".to_owned(),
        ),
    }
}

fn ended(sight: &Sight) -> (String, String) {
    let view = sight.view;
    let gold = view.winners.first().and_then(|seat| view.scores[seat.index()]).unwrap_or(0);
    let (title, won) = match &view.winners[..] {
        [only] if sight.me == Some(*only) => ("You win".to_owned(), format!("Your purse is the fullest: {gold} Gold.")),
        [only] => (format!("{} wins", only.mark()), format!("The fullest purse holds {gold} Gold.")),
        several => (format!("{} win together", marks(several)), format!("The fullest purses hold {gold} Gold each.")),
    };
    (title, format!("The game is over. {won}"))
}
