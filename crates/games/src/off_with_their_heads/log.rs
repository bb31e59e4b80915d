//! The log: what an event is told as, to whom.
//!
//! The marks of a bout are told to their player as they are made, and to everybody else together when the bout ends.
//! A line of several sentences about several players has a line break between them.

use super::brings::Brings;
use super::cards::{and, list, short, suit_name};
use super::chain::{Chain, Deed};
use super::event::{Event, Ranked, Shown};
use super::layout::{Icon, layout};
use super::names::fully_at;
use super::sheet::Sheet;
use super::task::{Mark, Task};
use super::{OffWithTheirHeads, Player};
use wonderpost_rules::{Person, Seat, Viewer};

impl OffWithTheirHeads {
    /// The line of an event; `self` is the table before it.
    pub(super) fn describe(&self, event: &Event, viewer: Viewer) -> Option<String> {
        match event {
            Event::Dealt { round, hands, .. } => {
                let line = format!("Round {round}: everyone is dealt {} cards.", self.hand_size());
                let own = viewer.seat().and_then(|seat| hands.get(seat.index()));
                Some(match own {
                    Some(hand) => {
                        let cards: super::cards::CardSet = hand.iter().copied().collect();
                        format!("{line} You are dealt {}.", list(cards.iter()))
                    }
                    None => line,
                })
            }
            Event::Turned { face_up, face_down: None } => {
                Some(format!("The {} lies open for this bout.", short(*face_up)))
            }
            Event::Turned { face_up, face_down: Some(_) } => {
                Some(format!("The {} lies open for this bout, and a card lies face down beside it.", short(*face_up)))
            }
            Event::Chose { seat, card } if viewer == Viewer::Seat(*seat) => {
                Some(format!("You chose the {}.", short(*card)))
            }
            Event::Chose { seat, .. } => Some(format!("{} has chosen.", seat.mark())),
            Event::Revealed { ranking } => Some(self.tell_ranking(ranking, viewer)),
            Event::Marked { .. } | Event::Lost { .. } | Event::Skipped { .. } | Event::Lapsed { .. } => {
                let (seat, deed) = event.deed()?;
                self.tell_step(seat, deed, viewer)
            }
            Event::BoutEnded => Some(self.tell_bout(viewer)),
            Event::RoundEnded => {
                let line = match self.aside_a_round() {
                    1 => "Everyone sets a card aside.".to_owned(),
                    cards => format!("Everyone sets {cards} cards aside."),
                };
                Some(match viewer.seat().and_then(|seat| self.player(seat)) {
                    Some(player) => format!("{line} You set aside {}.", list(player.hand.iter())),
                    None => line,
                })
            }
            Event::Over { showdown, totals, winner } => Some(tell_end(showdown, totals, *winner, viewer)),
        }
    }

    /// A step of a chain: to its player what it was, to the others that the chain is done. When that ends the bout, they are told what it
    /// was as well.
    fn tell_step(&self, seat: Seat, deed: Deed, viewer: Viewer) -> Option<String> {
        let chain = &self.player(seat)?.chain;
        let who = viewer.person(seat);
        if who.is_reader() {
            return Some(tell_deed(&chain.sheet, chain.task()?, &deed, who));
        }
        let mut after = chain.clone();
        after.apply(deed);
        let others = Seat::all(self.seats()).zip(&self.players).filter(|(other, _)| *other != seat);
        let ends_the_bout = others.into_iter().all(|(_, player)| player.chain.is_done());
        (after.is_done() && !ends_the_bout).then(|| format!("{} painting.", who.does("finishes")))
    }

    fn tell_ranking(&self, ranking: &[Ranked; 4], viewer: Viewer) -> String {
        let name = |ranked: &Ranked| match ranked.seat {
            Some(seat) => format!("{} ({})", short(ranked.card), viewer.person(seat)),
            None => format!("{} (from the deck)", short(ranked.card)),
        };
        let [high, second, third, low] = ranking;
        format!(
            "With the Queen on {}: {} is high, {} and {} are between, {} is low.",
            suit_name(self.queen.suit()),
            name(high),
            name(second),
            name(third),
            name(low)
        )
    }

    /// What the others did, and where the Queen goes. The viewer's own marks were told as they were made.
    fn tell_bout(&self, viewer: Viewer) -> String {
        let others = Seat::all(self.seats()).zip(&self.players).filter(|(seat, _)| viewer.seat() != Some(*seat));
        let mut lines: Vec<String> = others.map(|(seat, player)| tell_chain(viewer.person(seat), player)).collect();
        lines.retain(|line| !line.is_empty());
        lines.push(format!("The Queen moves on to {}.", suit_name(self.queen.next().suit())));
        lines.join("\n")
    }
}

/// All that a player did in a bout.
fn tell_chain(who: Person, player: &Player) -> String {
    let mut sheet = player.shown;
    let mut told = vec![];
    for (task, deed) in player.chain.deeds() {
        told.push(tell_deed(&sheet, task, deed, who));
        let mut chain = Chain::with_tasks(sheet, vec![*task]);
        chain.apply(*deed);
        sheet = chain.sheet;
    }
    told.join(" ")
}

fn tell_deed(sheet: &Sheet, task: &Task, deed: &Deed, who: Person) -> String {
    match deed {
        Deed::Marked(mark) => tell_mark(sheet, task, mark, who),
        Deed::Lost { declined: true } => format!("{} the mark go.", who.does("lets")),
        Deed::Lost { declined: false } => match task {
            Task::Card { card, .. } if who.is_reader() => format!("Your {} cannot be painted.", short(*card)),
            Task::Card { card, .. } => format!("{} {} cannot be painted.", who.whose(), short(*card)),
            Task::Repeat { .. } | Task::RedKeep { .. } => "Nothing can be painted.".to_owned(),
        },
        Deed::Skipped => match task {
            Task::RedKeep { zone } => {
                format!("{} the Red Keep's mark in the {}.", who.does("leaves"), zone.name())
            }
            Task::Card { .. } | Task::Repeat { .. } => format!("{} the biscuit.", who.does("leaves")),
        },
        Deed::Lapsed => match task {
            Task::RedKeep { zone } => format!("The Red Keep's mark finds no room in the {}.", zone.name()),
            Task::Card { .. } | Task::Repeat { .. } => "The biscuit crumbles: its repeat fits nowhere.".to_owned(),
        },
    }
}

fn tell_mark(sheet: &Sheet, task: &Task, mark: &Mark, who: Person) -> String {
    let Mark { space, number, .. } = mark;
    let mut told = vec![];
    match (mark.zone_changed, mark.color_changed) {
        (false, false) => {}
        (true, false) => told.push(format!("{} a teacup to change the zone.", who.does("drinks"))),
        (false, true) => told.push(format!("{} a teacup to change the colour.", who.does("drinks"))),
        (true, true) => {
            told.push(format!("{} two teacups to change the zone and the colour.", who.does("drinks")));
        }
    }
    let place = fully_at(*space);
    let only = if mark.only_way { ", the only way" } else { "" };
    told.push(match task {
        Task::Card { .. } => format!("{} {number} {place}{only}.", who.does("paints")),
        Task::Repeat { .. } => format!("{} a biscuit: {number} again {place}.", who.does("nibbles")),
        Task::RedKeep { .. } => {
            format!("{} {number} {place}, a gift of the Red Keep.", who.does("paints"))
        }
    });
    let brings = Brings::of(sheet, *space, *number);
    let mut after = *sheet;
    after.spend(mark.teacups());
    after.paint(*space, *number);
    if brings.red_keep {
        told.push(format!("{} the Red Keep!", who.does("reaches")));
    }
    if let Some(mushroom) = brings.mushroom {
        let name = &layout().meadow.mushrooms[mushroom].name;
        told.push(format!("{} the {name}.", who.does("completes")));
    }
    let circles: Vec<String> =
        brings.circles.iter().map(|index| layout().woods.circles[*index].vp.to_string()).collect();
    if !circles.is_empty() {
        let circle = if circles.len() == 1 { "the circle" } else { "the circles" };
        told.push(format!("{} {circle} of {} VP.", who.does("closes"), and(circles)));
    }
    if brings.wakes_jabberwock {
        told.push(format!("{} the Jabberwock: two {number}s side by side.", who.does("wakes")));
    }
    if brings.icon == Some(Icon::Teacup) {
        told.push(format!("{} a teacup ({} available).", who.does("gains"), after.available()));
    }
    let before = sheet.guests().len();
    for (come, guest) in brings.guests.iter().enumerate() {
        let guests = match before + come + 1 {
            1 => "1 guest".to_owned(),
            number => format!("{number} guests"),
        };
        told.push(format!("{} comes to {} tea party ({guests}).", guest.title(), who.whose()));
    }
    told.join(" ")
}

fn tell_end(showdown: &[Shown], totals: &[i64], winner: Seat, viewer: Viewer) -> String {
    let people = || Seat::all(showdown.len() as u8).map(|seat| viewer.person(seat)).zip(showdown);
    let mut lines: Vec<String> = people()
        .map(|(who, shown)| {
            let cards = list(shown.hand.iter().copied());
            format!("{} {cards}: {}, {} VP.", who.does("shows"), shown.rank.name(), shown.vp)
        })
        .collect();
    let best = people().filter(|(_, shown)| shown.bonus > 0);
    lines.extend(best.map(|(who, shown)| format!("{} the best hand: {} VP more.", who.does("has"), shown.bonus)));
    let total = totals.get(winner.index()).copied().unwrap_or_default();
    let wins = viewer.person(winner).does("wins");
    lines.push(format!("{wins} with {total} VP. Off with the others' heads!"));
    lines.join("\n")
}
