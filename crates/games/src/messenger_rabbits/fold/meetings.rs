//! Rabbits that meet: contests, fights and trades.

use super::super::MessengerRabbits;
use super::super::cards::Cards;
use super::super::hexagon::Place;
use super::super::phase::{After, Fight, Offer, Phase};
use wonderpost_rules::{Card, Seat, Suit};

impl MessengerRabbits {
    pub(super) fn answer_contest(&mut self, seat: Seat, showing: Cards) {
        if let Some(contest) = &mut self.contest
            && let Some(place) = contest.asked.iter().position(|asked| asked == seat)
            && let Some(answer) = contest.answers.get_mut(place)
        {
            *answer = Some(showing);
        }
    }

    pub(super) fn open_answers(&mut self, shown: &[Cards]) {
        let all = shown.iter().fold(Cards::EMPTY, |all, cards| all | *cards);
        self.show(all);
        if all.is_empty() {
            self.contest = None;
            self.phase = Phase::Visit;
        } else {
            self.phase = Phase::Prove;
        }
    }

    /// MR-46
    pub(super) fn prove(&mut self, cards: Cards) {
        self.show(cards);
        if let Some(contest) = self.contest.take() {
            for (seat, hearts) in contest.contesters() {
                self.spend(seat, hearts);
                self.rabbits[seat.index()] = Place::Off;
            }
        }
        self.phase = Phase::Visit;
    }

    pub(super) fn concede(&mut self) {
        self.contest = None;
        self.throw_off_active();
    }

    pub(super) fn attack(&mut self, target: Seat, cards: Cards, worth: u16) {
        self.attacked = true;
        let (totals, thrown) = ([worth, 0], [cards.to_vec(), vec![]]);
        self.spend(self.active, cards);
        self.fight = Some(Box::new(Fight { attacker: self.active, target, totals, thrown, next: 1 }));
        self.phase = Phase::Fight;
    }

    pub(super) fn throw(&mut self, cards: Cards, worth: u16) {
        if let Some(fight) = &mut self.fight {
            let thrower = fight.thrower();
            let side = fight.next & 1;
            fight.totals[side] = fight.totals[side].saturating_add(worth);
            fight.thrown[side].extend(cards.iter());
            fight.next = 1 - side;
            self.spend(thrower, cards);
        }
    }

    /// MR-40
    pub(super) fn yield_fight(&mut self) {
        if let Some(fight) = self.fight.take() {
            if fight.thrower() == self.active {
                self.throw_off_active();
            } else {
                self.rabbits[fight.target.index()] = Place::Off;
                self.phase = Phase::Visit;
            }
        }
    }

    /// MR-41
    pub(super) fn steal(&mut self, card: Card) {
        if let Some(victim) = self.seats().find(|seat| self.hand(*seat).contains(card)) {
            self.hand_over(victim, self.active, Cards::one(card), self.hand(victim));
        }
        self.enter_release(After::Theft, Phase::Visit);
    }

    /// MR-60
    pub(super) fn offer_card(&mut self, card: Card, to: Seat, suit: Suit) {
        self.offered = true;
        self.offer = Some(Offer { from: self.active, to, suit, card });
        self.seen[to.index()].insert(card);
        self.phase = Phase::Trade;
    }

    pub(super) fn give(&mut self, card: Card, swindle: bool) {
        if let Some(offer) = self.offer.take() {
            let diamonds = Cards::COMMON & Cards::of_suit(Suit::Diamonds);
            self.hand_over(offer.from, offer.to, Cards::one(offer.card), diamonds);
            self.hand_over(offer.to, offer.from, Cards::one(card), Cards::COMMON);
            if swindle {
                self.rabbits[offer.to.index()] = Place::Off;
            }
        }
        self.phase = Phase::Visit;
    }

    pub(super) fn decline(&mut self) {
        self.offer = None;
        self.phase = Phase::Visit;
    }
}
