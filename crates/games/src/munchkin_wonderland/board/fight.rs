//! A fight as a panel of its own: monster, players, the gap between them, and who might help.

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
    pub text: &'static str,
    pub parts: Vec<Part>,
    pub monster_power: u8,
    pub sides: Vec<SidePanel>,
    pub ours: u8,
    pub gap: u8,
    pub prize: String,
    /// How the call for help stands.
    pub answers: Vec<Answer>,
    /// Who could be asked.
    pub near: Vec<Near>,
    pub far: Vec<Near>,
    /// A call for help that is being put together, in order.
    pub asking: Vec<Seat>,
    /// What somebody who is asked should know.
    pub offer: Option<String>,
    pub controls: Vec<Control>,
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
    pub role: &'static str,
    pub mine: bool,
    pub parts: Vec<Part>,
    pub power: u8,
}

pub struct Answer {
    pub seat: Seat,
    pub words: &'static str,
}

/// Somebody and how far away they are.
pub struct Near {
    pub seat: Seat,
    pub links: u8,
    pub friends: u8,
}

impl FightPanel {
    pub fn new(sight: &Sight) -> Option<FightPanel> {
        let table = &sight.view.table;
        let fight = table.fight.as_ref()?;
        let facts = fight.room.facts();
        let mut parts = vec![Part { words: facts.title.clone(), text: "", badge: facts.power.to_string(), die: None }];
        parts.extend(fight.monsters.iter().map(|card| Part {
            words: card.title().to_owned(),
            text: &card.facts().text,
            badge: card.badge(),
            die: None,
        }));
        parts.extend(fight.die.map(|value| Part::die("Its die", value)));
        let fighter = SidePanel::new(sight, fight, &fight.fighter, "fights");
        let helper = fight.helper.as_ref().map(|helper| SidePanel::new(sight, fight, helper, "helps"));
        let others = Seat::all(table.places.len() as u8).filter(|seat| *seat != fight.fighter.seat);
        let (near, far) = match fight.asked.is_empty() {
            true => others
                .map(|seat| Near {
                    seat,
                    links: fight.room.place().distance(table.places[seat.index()]),
                    friends: table.friends[seat.index()].iter().map(|friend| friend.bonus_in(fight.room)).sum(),
                })
                .partition(|near| fight.can_ask.contains(&near.seat)),
            false => (vec![], vec![]),
        };
        Some(FightPanel {
            room: fight.room.id(),
            title: &facts.title,
            text: &facts.text,
            parts,
            monster_power: fight.monster_power,
            sides: std::iter::once(fighter).chain(helper).collect(),
            ours: fight.players_power(),
            gap: fight.gap(),
            prize: words::treasures(facts.treasures),
            answers: answers(sight, fight),
            near,
            far,
            asking: match &sight.begun {
                Begun::Ask(seats) => seats.clone(),
                Begun::Nothing | Begun::Thimble => vec![],
            },
            offer: offer(sight, fight),
            controls: if sight.acts { controls(sight, fight) } else { vec![] },
        })
    }
}

impl Part {
    fn die(words: &str, value: u8) -> Part {
        Part { words: words.to_owned(), text: "", badge: value.to_string(), die: Some(Face { value }) }
    }
}

impl SidePanel {
    fn new(sight: &Sight, fight: &FightView, side: &SideView, role: &'static str) -> SidePanel {
        let mut parts: Vec<Part> = side.dice.iter().map(|die| Part::die("Die", *die)).collect();
        let friends = &sight.view.table.friends[side.seat.index()];
        let cards = friends.iter().map(|friend| (friend, "Friend: ")).chain(side.used.iter().map(|card| (card, "")));
        parts.extend(cards.map(|(card, before)| Part {
            words: format!("{before}{}", card.title()),
            text: &card.facts().text,
            badge: match card.bonus_in(fight.room) {
                0 => "used".to_owned(),
                bonus => format!("+{bonus}"),
            },
            die: None,
        }));
        SidePanel { seat: side.seat, role, mine: sight.me == Some(side.seat), parts, power: side.power }
    }
}

/// MW-40: only what has become known, and whom the table still waits for.
fn answers(sight: &Sight, fight: &FightView) -> Vec<Answer> {
    let open = sight.view.phase == Step::Help;
    let helper = fight.helper.as_ref().map(|helper| helper.seat);
    let words = |seat: Seat| match open {
        true if sight.view.awaiting.contains(&seat) => "not heard yet",
        true => "has answered, in secret",
        false if helper == Some(seat) => "came to help",
        false if fight.refused.contains(&seat) => "would rather not",
        false => "was not needed",
    };
    fight.asked.iter().map(|seat| Answer { seat: *seat, words: words(*seat) }).collect()
}

/// What one's die and Friends could do for somebody who asks.
fn offer(sight: &Sight, fight: &FightView) -> Option<String> {
    let me = sight.me.filter(|_| sight.view.prompt == Some("help"))?;
    let friends: u8 = sight.view.table.friends[me.index()].iter().map(|friend| friend.bonus_in(fight.room)).sum();
    let gap = fight.gap();
    let with = if friends > 0 { format!("Your Friends would bring {friends}. ") } else { String::new() };
    Some(match gap.saturating_sub(friends) {
        0 | 1 => format!("{with}With your die that is enough, whatever it shows."),
        need @ 2..=6 => format!("{with}Your die must show {need} or more; cards of yours can help as well."),
        need => format!("{with}{need} more is needed: a die alone is not enough, but cards of yours can help."),
    })
}

fn controls(sight: &Sight, fight: &FightView) -> Vec<Control> {
    let mut controls = vec![];
    match &sight.begun {
        Begun::Thimble => return vec![Control::begin("", "No, go back").look("plain")],
        Begun::Ask(seats) => {
            let call = Move::Ask(seats.clone());
            controls.push(Control::say(&call, "Call for help").look("primary"));
            for seat in fight.can_ask.iter().filter(|seat| !seats.contains(seat)) {
                let more: Vec<Seat> = seats.iter().copied().chain([*seat]).collect();
                controls.push(Control::begin(Move::Ask(more).to_string(), format!("and then {}", seat.mark())));
            }
            controls.push(Control::begin("", "No, go back").look("plain"));
            return controls;
        }
        Begun::Nothing => {}
    }
    match &fight.can_ask[..] {
        [] => {}
        [only] => {
            controls.push(Control::say(&Move::Ask(vec![*only]), format!("Ask {} for help", only.mark())));
        }
        several => {
            controls.extend(several.iter().map(|seat| {
                let begun = Move::Ask(vec![*seat]).to_string();
                Control::begin(begun, format!("Ask {} first", seat.mark()))
            }));
            controls.push(Control::say(&Move::Ask(several.to_vec()), "Ask all, in turn order"));
        }
    }
    for mv in sight.moves {
        match mv {
            Move::Run => {
                let loss = match &sight.view.table.friends[fight.fighter.seat.index()][..] {
                    [] if sight.view.mine.as_ref().is_some_and(|mine| mine.hand.is_empty()) => {
                        "Run away, with nothing to lose"
                    }
                    [] => "Run away and lose a card",
                    _ => "Run away and lose a Friend",
                };
                controls.push(Control::say(mv, loss).look("danger"));
            }
            Move::Help => controls.push(Control::say(mv, "Help").look("primary")),
            Move::Refuse => controls.push(Control::say(mv, "Refuse")),
            Move::Done => controls.push(Control::say(mv, "Done, no more cards")),
            Move::Go(_)
            | Move::Play { .. }
            | Move::Use { .. }
            | Move::Recover { .. }
            | Move::Ask(_)
            | Move::Take(_)
            | Move::Discard(_) => {}
        }
    }
    controls
}
