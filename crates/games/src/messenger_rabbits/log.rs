//! The log: what an event is told as, and whether it brought up something hidden.

use super::MessengerRabbits;
use super::cards::Cards;
use super::event::{Event, Way};
use super::hexagon::{Hexagon, Place};
use super::moves::Transfer;
use super::phase::Action;
use super::site::Site;
use crate::playing_cards::suit_name;
use wonderpost_rules::{Card, Person, Seat, Suit, Viewer};

impl MessengerRabbits {
    /// The line of an event for a viewer; `self` is the table before it.
    pub(super) fn describe(&self, event: &Event, viewer: Viewer) -> Option<String> {
        let who = viewer.person(self.active);
        Some(match event {
            Event::Surveyed { .. } => "The land is laid out.".to_owned(),
            Event::Ordered { .. } => "A new land is to be built.".to_owned(),
            Event::Placed { seat, house, by, .. } => {
                format!("{} {} {}.", viewer.person(*seat).does("builds"), house.in_words(), self.beside(*by))
            }
            Event::Closed { .. } => "A square closes a gap in the mainland.".to_owned(),
            Event::Filled { .. } => "The last triangles are laid: the land is finished.".to_owned(),
            Event::Dealt { hands, .. } => self.tell_deal(hands, viewer),
            // The roll or the flight that follows tells it.
            Event::Readied { .. } => return None,
            Event::Passed => format!("{} no card.", who.does("shows")),
            Event::TookOff { to, showing, .. } => {
                format!("{} off for {}, showing {}.", who.does("takes"), to.in_words(), showing.with_sign())
            }
            Event::Rolled { seat, dice, .. } => tell_roll(viewer.person(*seat), *dice),
            Event::Shown { cards, drawn } => {
                format!("{} {} and {}.", who.does("shows"), cards.in_words(), draws(who, *drawn))
            }
            Event::Discarded { cards } => format!("{} {}.", who.does("discards"), cards.in_words()),
            Event::Seized { by, card } => tell_seizure(viewer.person(*by), who, *card),
            Event::Chosen { action } => format!("{} to {}.", who.does("chooses"), intent(*action)),
            Event::Travelled { by, to, paid, .. } => tell_journey(who, *by, *to, *paid),
            Event::Landed { paid, .. } => self.tell_landing(who, *paid),
            Event::Fell => format!("{} out of the sky.", who.does("falls")),
            Event::Sank => format!("{} underground.", who.does("lands")),
            Event::Answered { seat, showing } => tell_answer(viewer.person(*seat), *showing),
            Event::Contested { shown } => return self.tell_contest(shown, viewer),
            Event::Proved { cards } => self.tell_proof(*cards, viewer),
            Event::Conceded => format!("{} prove it and {} thrown off the board.", who.does("cannot"), who.verb("is")),
            Event::Attacked { target, cards, .. } => {
                format!("{} {} with {}.", who.does("attacks"), viewer.person(*target), cards.in_words())
            }
            Event::Threw { cards, worth } => return self.tell_throw(*cards, *worth, viewer),
            Event::Yielded => {
                let loser = viewer.person(self.thrower());
                format!("{} and {} thrown off the board.", loser.does("yields"), loser.verb("is"))
            }
            Event::Stole { card } => self.tell_theft(*card, viewer),
            Event::Released { royal, drawn } => {
                format!("{} {} and {}.", who.does("releases"), royal.with_sign(), draws(who, *drawn))
            }
            Event::Bought { card, paid } => {
                format!("{} {} for {}.", who.does("buys"), card.with_sign(), paid.in_words())
            }
            Event::Offered { card, to, suit } => tell_offer(who, viewer.person(*to), *card, *suit),
            Event::Gave { card, swindle } => tell_gift(viewer.person(self.offered_to()), who, *card, *swindle),
            Event::Declined => format!("{} the offer.", viewer.person(self.offered_to()).does("declines")),
            Event::Claimed { house, paid } => {
                format!("{} over {} for {}.", who.does("wins"), house.royal().with_sign(), paid.in_words())
            }
            Event::Drew { drawn } if drawn.is_empty() => "There is no card left to draw.".to_owned(),
            Event::Drew { drawn } if who.is_reader() => format!("You draw {}.", drawn.in_words()),
            Event::Drew { .. } => format!("{} a card.", who.does("draws")),
            Event::Repiled { .. } => "The spent cards are shuffled into a new pile.".to_owned(),
            Event::Won { royals } => {
                format!("{} {} to the Citadel and {}.", who.does("brings"), royals.in_words(), who.verb("wins"))
            }
        })
    }

    /// Where a house is built: sites have no names.
    fn beside(&self, by: Option<Site>) -> String {
        let neighbour = by.and_then(|site| self.land.layout.hexagon_at(site));
        neighbour.map_or_else(|| "out at sea".to_owned(), |hexagon| format!("beside {}", hexagon.in_words()))
    }

    fn tell_deal(&self, hands: &[Cards], viewer: Viewer) -> String {
        let line = if self.options.late_start {
            "Three cards are dealt to each, and one more to those who move late."
        } else {
            "Three cards are dealt to each."
        };
        match viewer.seat().and_then(|seat| hands.get(seat.index())) {
            Some(hand) => format!("{line} You are dealt {}.", hand.in_words()),
            None => line.to_owned(),
        }
    }

    fn tell_landing(&self, who: Person, paid: Cards) -> String {
        match self.flight {
            Some(flight) if paid.is_empty() => format!("{} at {}.", who.does("lands"), flight.to.in_words()),
            _ => format!("{} {} and {}.", who.does("pays"), paid.in_words(), who.verb("lands")),
        }
    }

    fn contesters(&self) -> impl Iterator<Item = Seat> {
        self.contest.iter().flat_map(|contest| contest.contesters().map(|(seat, _)| seat))
    }

    fn tell_contest(&self, shown: &[Cards], viewer: Viewer) -> Option<String> {
        let contest = self.contest.as_ref()?;
        let contesters = contest.asked.iter().zip(shown).filter(|(_, cards)| !cards.is_empty());
        let contests = |(seat, cards): (Seat, &Cards)| {
            format!("{} the visit, showing {}.", viewer.person(seat).does("contests"), cards.in_words())
        };
        let lines: Vec<String> = contesters.map(contests).collect();
        let at = match contest.at {
            Hexagon::House(house) => house.in_words(),
            Hexagon::Citadel => "the Citadel".to_owned(),
        };
        if lines.is_empty() { Some(format!("Nobody contests the visit to {at}.")) } else { Some(lines.join(" ")) }
    }

    fn tell_proof(&self, cards: Cards, viewer: Viewer) -> String {
        let who = viewer.person(self.active);
        let losers: Vec<Person> = self.contesters().map(|seat| viewer.person(seat)).collect();
        let are = match losers[..] {
            [loser] => loser.verb("is"),
            _ => "are".to_owned(),
        };
        let names: Vec<String> = losers.iter().map(Person::to_string).collect();
        format!(
            "{} a blessed heart with {}; {} {are} thrown off the board.",
            who.does("proves"),
            cards.in_words(),
            names.join(" and ")
        )
    }

    fn tell_throw(&self, cards: Cards, worth: u16, viewer: Viewer) -> Option<String> {
        let fight = self.fight.as_ref()?;
        let total = fight.totals[fight.next & 1].saturating_add(worth);
        let who = viewer.person(fight.thrower());
        Some(format!("{} {}, {total} in all.", who.does("throws"), cards.in_words()))
    }

    /// Whose throw it is in a fight.
    fn thrower(&self) -> Seat {
        self.fight.as_ref().map_or(self.active, |fight| fight.thrower())
    }

    /// Who got the offer that is open.
    fn offered_to(&self) -> Seat {
        self.offer.map_or(self.active, |offer| offer.to)
    }

    fn tell_theft(&self, card: Card, viewer: Viewer) -> String {
        let thief = viewer.person(self.active);
        let victim = self.seats().find(|seat| self.hand(*seat).contains(card)).map(|seat| viewer.person(seat));
        let is_mine = victim.is_some_and(Person::is_reader);
        let is_known = is_mine || thief.is_reader() || !Cards::COMMON.contains(card);
        match victim {
            Some(victim) if is_known => format!("{} {} {}.", thief.does("steals"), victim.whose(), card.with_sign()),
            _ => format!("{} a card.", thief.does("steals")),
        }
    }

    /// Whether somebody learns from an event what was hidden from them.
    pub(super) fn reveals_something(&self, event: &Event) -> bool {
        let hidden = |cards: &Cards| !((*cards & Cards::COMMON) - self.seen_by_all()).is_empty();
        match event {
            Event::Surveyed { .. }
            | Event::Ordered { .. }
            | Event::Closed { .. }
            | Event::Filled { .. }
            | Event::Dealt { .. }
            | Event::Rolled { .. }
            | Event::Repiled { .. }
            // That there is something to do in a turn tells of a hand.
            | Event::Readied { .. }
            | Event::Seized { .. }
            | Event::Contested { .. }
            | Event::Stole { .. }
            | Event::Offered { .. }
            | Event::Gave { .. }
            // How a visit goes on tells of the visitor's hand.
            | Event::Declined
            // The hands are shown.
            | Event::Won { .. } => true,
            // A visitor who cannot prove tells of a hand.
            Event::Conceded => true,
            Event::Shown { .. } => true,
            Event::Released { drawn, .. } | Event::Drew { drawn } => !drawn.is_empty(),
            Event::TookOff { showing, .. } => hidden(&Cards::one(*showing)),
            Event::Discarded { cards }
            | Event::Proved { cards }
            | Event::Attacked { cards, .. }
            | Event::Threw { cards, .. } => hidden(cards),
            Event::Travelled { paid, .. }
            | Event::Landed { paid, .. }
            | Event::Bought { paid, .. }
            | Event::Claimed { paid, .. } => hidden(paid),
            Event::Placed { .. }
            | Event::Passed
            | Event::Chosen { .. }
            | Event::Fell
            | Event::Sank
            | Event::Answered { .. } => false,
            // So it does after a fight.
            Event::Yielded => self.fight.as_ref().is_some_and(|fight| fight.thrower() != self.active),
        }
    }

    fn seen_by_all(&self) -> Cards {
        self.seen.iter().fold(Cards::COMMON, |all, seen| all & *seen)
    }
}

fn tell_roll(who: Person, [a, b]: [u8; 2]) -> String {
    format!("{} {a} and {b}: the price is {}.", who.does("rolls"), u16::from(a) + u16::from(b))
}

/// What somebody draws, in the middle of a sentence: the cards themselves to whoever draws them.
fn draws(who: Person, drawn: Cards) -> String {
    match drawn.len() {
        0 => format!("{} no card to draw", who.verb("finds")),
        _ if who.is_reader() => format!("draw {}", drawn.in_words()),
        1 => "draws a card".to_owned(),
        number => format!("draws {number} cards"),
    }
}

/// Secret until all are in; one's own answer is told at once.
fn tell_answer(who: Person, showing: Cards) -> String {
    match (who.is_reader(), showing.is_empty()) {
        (false, _) => format!("{} secretly.", who.does("answers")),
        (true, true) => "You let the visit pass.".to_owned(),
        (true, false) => format!("You contest the visit, showing {}.", showing.in_words()),
    }
}

fn tell_seizure(by: Person, from: Person, card: Card) -> String {
    let line = format!("{} {from} of a surplus card", by.does("robs"));
    if by.is_reader() || from.is_reader() { format!("{line}: {}.", card.with_sign()) } else { line + "." }
}

fn tell_journey(who: Person, by: Way, to: Place, paid: Cards) -> String {
    let place = to.in_words();
    let paying = |verb: &str| format!("{} to {place}, paying {}.", who.does(verb), paid.in_words());
    match (by, to) {
        (Way::Stay, Place::Underground) => format!("{} underground.", who.does("stays")),
        (Way::Stay, _) => format!("{} at {place}.", who.does("stays")),
        (Way::Road, Place::Off) => format!("{} off the board.", who.does("wanders")),
        (Way::Road, Place::Underground) => format!("{} underground.", who.does("slips")),
        (Way::Road, Place::On(_)) => format!("{} to {place}.", who.does("hops")),
        (Way::Hike, _) => paying("hikes"),
        (Way::Horse, _) => paying("rides"),
        (Way::Boat, _) => paying("sails"),
        (Way::Hole, _) => paying("tunnels"),
        (Way::Tavern, _) => format!(
            "{} at a tavern, {} {} for a joker, and {} on to {place}.",
            who.does("stops"),
            who.verb("pays"),
            paid.in_words(),
            who.verb("goes")
        ),
        (Way::Joker, _) => format!("{} a joker and {} up at {place}.", who.does("plays"), who.verb("turns")),
    }
}

fn tell_offer(from: Person, to: Person, card: Card, suit: Suit) -> String {
    let is_known = from.is_reader() || to.is_reader();
    let what = if is_known { card.with_sign() } else { "a diamond".to_owned() };
    format!("{} {to} {what} for a card of {}.", from.does("offers"), suit_name(suit))
}

fn tell_gift(giver: Person, to: Person, card: Card, swindle: bool) -> String {
    let is_known = giver.is_reader() || to.is_reader();
    let what = if is_known { card.with_sign() } else { "a card".to_owned() };
    let mut line = format!("{} {to} {what}.", giver.does("gives"));
    if swindle {
        line += &format!(" {} swindled and {} thrown off the board.", giver.does("has"), giver.verb("is"));
    }
    line
}

/// What a paid action is meant to do, as in “chooses to …”.
pub(super) fn intent(action: Action) -> String {
    match action {
        Action::Travel(by, to) => {
            let to = to.in_words();
            match by {
                Transfer::Hike => format!("hike to {to}"),
                Transfer::Horse => format!("ride to {to}"),
                Transfer::Boat => format!("sail to {to}"),
                Transfer::Hole => format!("tunnel to {to}"),
                Transfer::Tavern => format!("buy a joker at a tavern on the way to {to}"),
            }
        }
        Action::Claim(house) => format!("win over {}", house.royal().with_sign()),
        Action::Buy(card) => format!("buy {}", card.with_sign()),
        Action::Land => "pay for the landing".to_owned(),
    }
}
