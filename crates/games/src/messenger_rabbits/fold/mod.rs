//! Folding: what each fact makes of the table. No event, however odd, does any harm.

mod court;
mod hands;
mod land;
mod meetings;
mod turn;

use super::MessengerRabbits;
use super::event::Event;
use super::phase::Phase;
use super::roads::Land;
use super::survey::Ground;

/// MR-11: how many carrots each rabbit has.
pub const CARROTS: usize = 3;

impl MessengerRabbits {
    pub(super) fn fold(&mut self, event: &Event) {
        match event {
            Event::Surveyed { layout } => self.land = Land::finished(layout.clone(), self.suits),
            Event::Ordered { houses, squares, triangles } => self.order(houses, squares, triangles),
            Event::Placed { site, by, .. } => self.build(|survey| survey.place(Ground { site: *site, by: *by })),
            Event::Closed { at } => self.build(|survey| survey.close(*at)),
            Event::Filled { at } => self.finish_land(at),
            Event::Dealt { hands, pile } => self.deal(hands, pile),
            Event::Readied { seat, round } => self.ready(*seat, *round),
            Event::TookOff { to, showing, worth } => self.take_off(*to, *showing, *worth),
            Event::Rolled { seat, round, dice, lottery } => self.rolled(*seat, *round, *dice, *lottery),
            Event::Shown { cards, drawn } => self.show_in_lottery(*cards, *drawn),
            Event::Passed => self.after_lottery(),
            Event::Discarded { cards } => self.discard(*cards),
            Event::Seized { by, card } => self.seize(*by, *card),
            Event::Chosen { action } => self.choose(*action),
            Event::Travelled { by, to, paid, joker, asked } => self.travel(*by, *to, *paid, *joker, *asked),
            Event::Landed { paid, asked } => self.land_flight(*paid, *asked),
            Event::Fell => self.throw_off_active(),
            Event::Sank => self.sink(),
            Event::Answered { seat, showing } => self.answer_contest(*seat, *showing),
            Event::Contested { shown } => self.open_answers(shown),
            Event::Proved { cards } => self.prove(*cards),
            Event::Conceded => self.concede(),
            Event::Attacked { target, cards, worth } => self.attack(*target, *cards, *worth),
            Event::Threw { cards, worth } => self.throw(*cards, *worth),
            Event::Yielded => self.yield_fight(),
            Event::Stole { card } => self.steal(*card),
            Event::Released { royal, drawn } => self.release(*royal, *drawn),
            Event::Bought { card, paid } => self.buy(*card, *paid),
            Event::Offered { card, to, suit } => self.offer_card(*card, *to, *suit),
            Event::Gave { card, swindle } => self.give(*card, *swindle),
            Event::Declined => self.decline(),
            Event::Claimed { house, paid } => self.claim(*house, *paid),
            Event::Drew { drawn } => self.draw_at_end(*drawn),
            Event::Repiled { pile } => self.repile(pile),
            Event::Won { .. } => self.win(),
        }
    }

    /// MR-51
    fn win(&mut self) {
        self.winner = Some(self.active);
        self.phase = Phase::Over;
    }
}
