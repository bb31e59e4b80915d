//! The log: what an event is told as, and whether it brought up something hidden.

use super::MessengerRabbits;
use super::cards::Cards;
use super::event::{Event, Way};
use super::hexagon::{Hexagon, Place};
use crate::playing_cards::suit_name;
use wonderpost_rules::{Card, Seat, Viewer};

impl MessengerRabbits {
    /// The line of an event for a viewer; `self` is the table before it.
    pub(super) fn describe(&self, event: &Event, viewer: Viewer) -> Option<String> {
        let active = self.active;
        let name = active.mark();
        let me = |seat: Seat| viewer == Viewer::Seat(seat);
        let line = match event {
            Event::Surveyed { .. } => "The land is laid out.".to_owned(),
            Event::Ordered { .. } => "A new land is to be built.".to_owned(),
            Event::Placed { seat, house, site, .. } => format!("{} builds {house} at {site}.", seat.mark()),
            Event::Closed { .. } => "A square closes a gap in the mainland.".to_owned(),
            Event::Filled { .. } => "The last triangles are laid: the land is finished.".to_owned(),
            Event::Dealt { hands, .. } => {
                let mut line = "Three cards are dealt to each.".to_owned();
                if self.options.late_start {
                    line = "Three cards are dealt to each, and one more to those who move late.".to_owned();
                }
                match viewer.seat().and_then(|seat| hands.get(seat.index())) {
                    Some(hand) => format!("{line} You are dealt {}.", hand.in_words()),
                    None => line,
                }
            }
            Event::Readied { .. } => return None,
            Event::TookOff { to, showing, .. } => {
                format!("{name} takes off for {}, showing {showing}.", to.in_words())
            }
            Event::Rolled { seat, dice: [a, b], .. } => {
                format!("{} rolls {a} and {b}: the price is {}.", seat.mark(), u16::from(*a) + u16::from(*b))
            }
            Event::Shown { cards, drawn } => {
                let shown = cards.in_words();
                match drawn.len() {
                    0 => format!("{name} shows {shown}, and there is no card to draw."),
                    1 => told_draw(format!("{name} shows {shown} and draws a card."), *drawn, me(active)),
                    number => told_draw(format!("{name} shows {shown} and draws {number} cards."), *drawn, me(active)),
                }
            }
            Event::Passed => return None,
            Event::Discarded { cards } => format!("{name} discards {}.", cards.in_words()),
            Event::Seized { by, card } => {
                let line = format!("{} robs {name} of a surplus card.", by.mark());
                if me(*by) {
                    format!("{line} You take {card}.")
                } else if me(active) {
                    format!("{line} {} takes your {card}.", by.mark())
                } else {
                    line
                }
            }
            Event::Chosen { action } => format!("{name} chooses “{action}”."),
            Event::Travelled { by, to, paid, .. } => self.tell_journey(*by, *to, *paid),
            Event::Landed { paid, .. } => match self.flight {
                Some(flight) if paid.is_empty() => format!("{name} lands at {}.", flight.to.in_words()),
                _ => format!("{name} pays {} and lands.", paid.in_words()),
            },
            Event::Fell => format!("{name} falls out of the sky."),
            Event::Sank => format!("{name} lands underground."),
            // Secret until all are in; one's own answer is told at once.
            Event::Answered { seat, showing } if me(*seat) => match showing.is_empty() {
                true => "You let the visit pass.".to_owned(),
                false => format!("You contest the visit, showing {}.", showing.in_words()),
            },
            Event::Answered { .. } => return None,
            Event::Contested { shown } => return self.tell_contest(shown),
            Event::Proved { cards } => {
                let losers: Vec<String> = self.contesters().map(|seat| seat.mark().to_string()).collect();
                let are = if losers.len() == 1 { "is" } else { "are" };
                format!(
                    "{name} proves a blessed heart with {}; {} {are} thrown off the board.",
                    cards.in_words(),
                    losers.join(" and ")
                )
            }
            Event::Conceded => format!("{name} cannot prove it and is thrown off the board."),
            Event::Attacked { target, cards, .. } => {
                format!("{name} attacks {} with {}.", target.mark(), cards.in_words())
            }
            Event::Threw { cards, worth } => {
                let fight = self.fight.as_ref()?;
                let total = fight.totals[fight.next & 1].saturating_add(*worth);
                format!("{} throws {}: {total}.", fight.thrower().mark(), cards.in_words())
            }
            Event::Yielded => {
                let loser = self.fight.as_ref().map_or(active, |fight| fight.thrower());
                format!("{} yields and is thrown off the board.", loser.mark())
            }
            Event::Stole { card } => self.tell_theft(*card, viewer),
            Event::Released { royal, drawn } => {
                told_draw(format!("{name} releases {royal}{}", and_draws(*drawn)), *drawn, me(active))
            }
            Event::Bought { card, paid } => format!("{name} buys {card} for {}.", paid.in_words()),
            Event::Offered { card, to, suit } => {
                let line = format!("{name} offers {} a diamond for a card of {}.", to.mark(), suit_name(*suit));
                if me(active) {
                    format!("{line} You offer {card}.")
                } else if me(*to) {
                    format!("{line} You are offered {card}.")
                } else {
                    line
                }
            }
            Event::Gave { card, swindle } => {
                let giver = self.offer.map_or(active, |offer| offer.to);
                let mut line = format!("{} gives a card.", giver.mark());
                if me(giver) {
                    line += &format!(" You give {card}.");
                } else if me(active) {
                    line += &format!(" You get {card}.");
                }
                if *swindle {
                    line += &format!(" {} has swindled and is thrown off the board.", giver.mark());
                }
                line
            }
            Event::Declined => format!("{} declines.", self.offer.map_or(active, |offer| offer.to).mark()),
            Event::Claimed { house, paid } => format!("{name} wins over {house} for {}.", paid.in_words()),
            Event::Drew { drawn } if drawn.is_empty() => return None,
            Event::Drew { drawn } => told_draw(format!("{name} draws a card."), *drawn, me(active)),
            Event::Repiled { .. } => "The spent cards are shuffled into a new pile.".to_owned(),
            Event::Won { royals } => format!("{name} brings {} to the Citadel and wins.", royals.in_words()),
        };
        Some(line)
    }

    fn tell_journey(&self, by: Way, to: Place, paid: Cards) -> String {
        let name = self.active.mark();
        let place = to.in_words();
        let paying = || format!("to {place}, paying {}.", paid.in_words());
        match (by, to) {
            (Way::Stay, Place::Underground) => format!("{name} stays underground."),
            (Way::Stay, _) => format!("{name} stays at {place}."),
            (Way::Road, Place::Off) => format!("{name} wanders off the board."),
            (Way::Road, Place::Underground) => format!("{name} slips underground."),
            (Way::Road, Place::On(_)) => format!("{name} hops to {place}."),
            (Way::Hike, _) => format!("{name} hikes {}", paying()),
            (Way::Horse, _) => format!("{name} rides {}", paying()),
            (Way::Boat, _) => format!("{name} sails {}", paying()),
            (Way::Hole, _) => format!("{name} tunnels {}", paying()),
            (Way::Tavern, _) => {
                format!("{name} stops at a tavern, pays {} for a joker, and goes on to {place}.", paid.in_words())
            }
            (Way::Joker, _) => format!("{name} plays a joker and turns up at {place}."),
        }
    }

    fn contesters(&self) -> impl Iterator<Item = Seat> {
        self.contest.iter().flat_map(|contest| contest.contesters().map(|(seat, _)| seat))
    }

    fn tell_contest(&self, shown: &[Cards]) -> Option<String> {
        let contest = self.contest.as_ref()?;
        let contesters = contest.asked.iter().zip(shown).filter(|(_, cards)| !cards.is_empty());
        let lines: Vec<String> = contesters
            .map(|(seat, cards)| format!("{} contests the visit, showing {}.", seat.mark(), cards.in_words()))
            .collect();
        let at = match contest.at {
            Hexagon::House(house) => house.in_words(),
            Hexagon::Citadel => "the Citadel".to_owned(),
        };
        if lines.is_empty() { Some(format!("Nobody contests the visit to {at}.")) } else { Some(lines.join(" ")) }
    }

    fn tell_theft(&self, card: Card, viewer: Viewer) -> String {
        let name = self.active.mark();
        let victim = self.seats().find(|seat| self.hand(*seat).contains(card));
        if !Cards::COMMON.contains(card) {
            return format!("{name} steals {card}.");
        }
        let line = format!("{name} steals a card.");
        if viewer == Viewer::Seat(self.active) {
            format!("{line} You steal {card}.")
        } else if victim.is_some_and(|victim| viewer == Viewer::Seat(victim)) {
            format!("{line} {name} steals your {card}.")
        } else {
            line
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

fn and_draws(drawn: Cards) -> &'static str {
    if drawn.is_empty() { "." } else { " and draws a card." }
}

/// Adds what was drawn for the one who drew it.
fn told_draw(line: String, drawn: Cards, mine: bool) -> String {
    if mine && !drawn.is_empty() { format!("{line} You draw {}.", drawn.in_words()) } else { line }
}
