//! A fight as one picture: monster, players and the gap between them; and what can be done about it.

use super::super::moves::Move;
use super::super::phase::Step;
use super::super::view::{FightView, SideView};
use super::super::words;
use super::Sight;
use super::begun::Begun;
use super::control::{Control, Face};
use wonderpost_rules::Seat;

pub struct FightPanel {
    pub room: &'static str,
    pub title: &'static str,
    pub parts: Vec<Part>,
    pub monster_power: u8,
    pub sides: Vec<SidePanel>,
    pub ours: u8,
    pub gap: u8,
    pub treasures: usize,
    pub prize: String,
    /// How the call for help stands.
    pub answers: Vec<Answer>,
    /// Who is out of reach of a call.
    pub far: Vec<Near>,
}

/// Something that makes up Power.
pub struct Part {
    pub words: String,
    pub text: &'static str,
    pub badge: String,
    pub die: Option<Face>,
}

pub struct SidePanel {
    pub seat: Seat,
    pub name: String,
    pub parts: Vec<Part>,
    pub power: u8,
}

pub struct Answer {
    pub name: String,
    pub words: &'static str,
}

/// Somebody and how far away they are.
pub struct Near {
    pub seat: Seat,
    pub links: u8,
}

impl FightPanel {
    pub fn new(sight: &Sight) -> Option<FightPanel> {
        let table = &sight.view.table;
        let fight = table.fight.as_ref()?;
        let facts = fight.room.facts();
        let mut parts =
            vec![Part { words: "by itself".to_owned(), text: &facts.text, badge: facts.power.to_string(), die: None }];
        parts.extend(fight.monsters.iter().map(|card| Part {
            words: card.title().to_owned(),
            text: &card.facts().text,
            badge: card.badge(),
            die: None,
        }));
        parts.extend(fight.die.map(|value| Part::die("its die", value)));
        let fighter = SidePanel::new(sight, fight, &fight.fighter);
        let helper = fight.helper.as_ref().map(|helper| SidePanel::new(sight, fight, helper));
        let others = Seat::all(table.places.len() as u8).filter(|seat| *seat != fight.fighter.seat);
        let far = others
            .filter(|seat| fight.asked.is_empty() && !fight.can_ask.contains(seat))
            .map(|seat| Near { seat, links: fight.room.place().distance(table.places[seat.index()]) });
        Some(FightPanel {
            room: fight.room.id(),
            title: &facts.title,
            parts,
            monster_power: fight.monster_power,
            sides: std::iter::once(fighter).chain(helper).collect(),
            ours: fight.players_power(),
            gap: fight.gap(),
            treasures: facts.treasures,
            prize: words::treasures(facts.treasures),
            answers: answers(sight, fight),
            far: far.collect(),
        })
    }
}

impl Part {
    fn die(words: &str, value: u8) -> Part {
        Part { words: words.to_owned(), text: "", badge: value.to_string(), die: Some(Face { value }) }
    }
}

impl SidePanel {
    fn new(sight: &Sight, fight: &FightView, side: &SideView) -> SidePanel {
        let mut parts: Vec<Part> = side.dice.iter().map(|die| Part::die("die", *die)).collect();
        let friends = &sight.view.table.friends[side.seat.index()];
        parts.extend(friends.iter().chain(&side.used).map(|card| Part {
            words: card.title().to_owned(),
            text: &card.facts().text,
            badge: match card.bonus_in(fight.room) {
                0 => "used".to_owned(),
                bonus => format!("+{bonus}"),
            },
            die: None,
        }));
        SidePanel { seat: side.seat, name: sight.person(side.seat).capitalised(), parts, power: side.power }
    }
}

/// MW-40: only what has become known, and whom the table still waits for.
fn answers(sight: &Sight, fight: &FightView) -> Vec<Answer> {
    let open = sight.view.phase == Step::Help;
    let helper = fight.helper.as_ref().map(|helper| helper.seat);
    let words = |seat: Seat| match open {
        true if sight.ended_early => "was asked",
        true if sight.view.awaiting.contains(&seat) => "not heard yet",
        true => "answered in secret",
        false if helper == Some(seat) => "came to help",
        false if fight.refused.contains(&seat) => "would rather not",
        false => "not needed",
    };
    let answer = |seat: &Seat| Answer { name: sight.person(*seat).capitalised(), words: words(*seat) };
    fight.asked.iter().map(answer).collect()
}

/// What can be done in a fight besides using cards.
pub fn controls(sight: &Sight) -> Vec<Control> {
    let back = || Control::begin("", "Cancel").look("plain");
    let Some(fight) = sight.view.table.fight.as_ref().filter(|_| sight.acts) else {
        return if sight.begun == Begun::Thimble { vec![back()] } else { vec![] };
    };
    match &sight.begun {
        Begun::Thimble => vec![back()],
        Begun::Ask(seats) => {
            let call = Control::say(&Move::Ask(seats.clone()), "Call for help").look("primary");
            let more = fight.can_ask.iter().filter(|seat| !seats.contains(seat)).map(|seat| {
                let more: Vec<Seat> = seats.iter().copied().chain([*seat]).collect();
                let then = format!("and then {}", seat.mark());
                Control::begin(Move::Ask(more).to_string(), then).note(needed(sight, fight, *seat))
            });
            std::iter::once(call).chain(more).chain([back()]).collect()
        }
        Begun::Nothing => calls(sight, fight).into_iter().chain(answers_and_run(sight, fight)).collect(),
    }
}

/// Whom to call.
fn calls(sight: &Sight, fight: &FightView) -> Vec<Control> {
    match &fight.can_ask[..] {
        [] => vec![],
        [only] => {
            let ask = Control::say(&Move::Ask(vec![*only]), format!("Ask {} for help", only.mark()));
            vec![ask.note(needed(sight, fight, *only))]
        }
        several => {
            let first = several.iter().map(|seat| {
                let begun = Move::Ask(vec![*seat]).to_string();
                Control::begin(begun, format!("Ask {} first", seat.mark())).note(needed(sight, fight, *seat))
            });
            first.chain([Control::say(&Move::Ask(several.to_vec()), "Ask all, in turn order")]).collect()
        }
    }
}

/// What somebody's die would have to show to close the gap with their Friends: “needs 4+”.
fn needed(sight: &Sight, fight: &FightView, seat: Seat) -> String {
    let friends: u8 = sight.view.table.friends[seat.index()].iter().map(|friend| friend.bonus_in(fight.room)).sum();
    let with = if friends > 0 { format!("Friends +{friends}, ") } else { String::new() };
    match fight.gap().saturating_sub(friends) {
        0 | 1 => format!("{with}any die will do"),
        6 => format!("{with}needs a 6"),
        need @ 2..=5 => format!("{with}needs {need}+ on the die"),
        _ => format!("{with}a die is not enough"),
    }
}

fn answers_and_run(sight: &Sight, fight: &FightView) -> Vec<Control> {
    let control = |mv: &Move| match mv {
        Move::Run => {
            let loss = match &sight.view.table.friends[fight.fighter.seat.index()][..] {
                [] if sight.view.mine.as_ref().is_some_and(|mine| mine.hand.is_empty()) => "nothing to lose",
                [] => "costs a card",
                _ => "costs a Friend",
            };
            Some(Control::say(mv, "Run").note(loss).look("danger"))
        }
        Move::Help => Some(Control::say(mv, "Help").look("primary")),
        Move::Refuse => Some(Control::say(mv, "Refuse")),
        Move::Done => Some(Control::say(mv, "Done")),
        Move::Go(_)
        | Move::Play { .. }
        | Move::Use { .. }
        | Move::Recover { .. }
        | Move::Ask(_)
        | Move::Take(_)
        | Move::Discard(_) => None,
    };
    sight.moves.iter().filter_map(control).collect()
}
