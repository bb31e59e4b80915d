//! Folding: what each fact makes of the table. No event, however odd, does any harm.

use super::MessengerRabbits;
use super::cards::Cards;
use super::event::{Event, Way};
use super::hexagon::{Hexagon, Place};
use super::phase::{After, Check, Contest, Fight, Flight, Offer, Phase};
use super::roads::Land;
use super::survey::{Ground, Survey};
use wonderpost_rules::{Card, Seat, SeatSet};

/// MR-11: so many carrots each.
pub const CARROTS: usize = 3;

impl MessengerRabbits {
    pub(super) fn fold(&mut self, event: &Event) {
        let active = self.active;
        match event {
            Event::Surveyed { layout } => self.land = Land::finished(layout.clone(), self.suits),
            Event::Ordered { houses, squares, triangles } => {
                let survey = Survey::resumed(self.suits, houses.clone(), squares.clone(), triangles.clone());
                self.survey = Some(Box::new(survey));
                self.phase = Phase::Build;
            }
            Event::Placed { site, by, .. } => self.build(|survey| survey.place(Ground { site: *site, by: *by })),
            Event::Closed { at } => self.build(|survey| survey.close(*at)),
            Event::Filled { at } => {
                self.build(|survey| at.iter().for_each(|slot| survey.fill(*slot)));
                if let Some(survey) = self.survey.take() {
                    self.land = Land::finished(survey.layout, self.suits);
                }
            }
            Event::Dealt { hands, pile } => {
                self.hands.iter_mut().zip(hands).for_each(|(hand, dealt)| *hand = *dealt);
                self.pile = pile.iter().rev().copied().collect();
                self.phase = Phase::Turning;
            }
            Event::Readied { seat, round } => {
                self.begin_turn(*seat, *round);
                self.phase = Phase::Takeoff;
            }
            Event::TookOff { to, showing, worth } => {
                let from = self.active_hexagon().unwrap_or(Hexagon::Citadel);
                self.flight = Some(Flight { from, to: *to, shown: *showing, worth: *worth });
                self.see(Cards::one(*showing));
            }
            Event::Rolled { seat, round, dice, lottery } => {
                if self.phase != Phase::Takeoff {
                    self.begin_turn(*seat, *round);
                }
                self.dice = Some(*dice);
                if *lottery { self.phase = Phase::Lottery } else { self.after_lottery() }
            }
            Event::Shown { cards, drawn } => {
                self.shown |= *cards;
                self.see(*cards);
                self.draw(active, *drawn);
                self.after_lottery();
            }
            Event::Passed => self.after_lottery(),
            Event::Discarded { cards } => {
                self.spend(active, *cards);
                self.check_again();
            }
            Event::Seized { by, card } => {
                self.hand_over(active, *by, Cards::one(*card), Cards::COMMON);
                self.check_again();
            }
            Event::Chosen { action } => {
                self.due = Some(*action);
                self.phase = Phase::Pay;
            }
            Event::Travelled { by, to, paid, joker, asked } => {
                self.due = None;
                self.spend(active, *paid);
                if let Some(joker) = joker {
                    self.move_joker(active, *joker, *by);
                }
                self.arrive(*to, *asked);
            }
            Event::Landed { paid, asked } => {
                self.due = None;
                self.spend(active, *paid);
                let to = self.flight.map_or(self.rabbit(active), |flight| Place::On(flight.to));
                self.arrive(to, *asked);
            }
            Event::Fell => self.throw_off_active(),
            Event::Sank => {
                self.rabbits[active.index()] = Place::Underground;
                self.phase = Phase::Increment;
            }
            Event::Answered { seat, showing } => {
                if let Some(contest) = &mut self.contest
                    && let Some(place) = contest.asked.iter().position(|asked| asked == *seat)
                    && let Some(answer) = contest.answers.get_mut(place)
                {
                    *answer = Some(*showing);
                }
            }
            Event::Contested { shown } => {
                let all = shown.iter().fold(Cards::EMPTY, |all, cards| all | *cards);
                self.shown |= all;
                self.see(all);
                if all.is_empty() {
                    self.contest = None;
                    self.phase = Phase::Visit;
                } else {
                    self.phase = Phase::Prove;
                }
            }
            Event::Proved { cards } => {
                self.shown |= *cards;
                self.see(*cards);
                if let Some(contest) = self.contest.take() {
                    for (seat, hearts) in contest.contesters() {
                        self.spend(seat, hearts);
                        self.rabbits[seat.index()] = Place::Off;
                    }
                }
                self.phase = Phase::Visit;
            }
            Event::Conceded => {
                self.contest = None;
                self.throw_off_active();
            }
            Event::Attacked { target, cards, worth } => {
                self.attacked = true;
                let fight = Fight {
                    attacker: active,
                    target: *target,
                    totals: [*worth, 0],
                    thrown: [cards.to_vec(), vec![]],
                    next: 1,
                };
                self.spend(active, *cards);
                self.fight = Some(Box::new(fight));
                self.phase = Phase::Fight;
            }
            Event::Threw { cards, worth } => {
                if let Some(fight) = &mut self.fight {
                    let thrower = fight.thrower();
                    let side = fight.next & 1;
                    fight.totals[side] = fight.totals[side].saturating_add(*worth);
                    fight.thrown[side].extend(cards.iter());
                    fight.next = 1 - side;
                    self.spend(thrower, *cards);
                }
            }
            Event::Yielded => {
                if let Some(fight) = self.fight.take() {
                    if fight.thrower() == active {
                        self.throw_off_active();
                    } else {
                        self.rabbits[fight.target.index()] = Place::Off;
                        self.phase = Phase::Visit;
                    }
                }
            }
            Event::Stole { card } => {
                if let Some(victim) = self.seats().find(|seat| self.hand(*seat).contains(*card)) {
                    self.hand_over(victim, active, Cards::one(*card), self.hand(victim));
                }
                self.enter_release(After::Theft);
            }
            Event::Released { royal, drawn } => {
                self.spend(active, Cards::one(*royal));
                self.draw(active, *drawn);
                self.phase = match self.phase {
                    Phase::Release(After::Claim) => Phase::Increment,
                    _ => Phase::Visit,
                };
            }
            Event::Bought { card, paid } => {
                self.due = None;
                self.bought = true;
                self.spent.remove(*card);
                self.hands[active.index()].insert(*card);
                self.see(Cards::one(*card));
                self.spend(active, *paid);
                self.phase = Phase::Visit;
            }
            Event::Offered { card, to, suit } => {
                self.offered = true;
                self.offer = Some(Offer { from: active, to: *to, suit: *suit, card: *card });
                self.seen[to.index()].insert(*card);
                self.phase = Phase::Trade;
            }
            Event::Gave { card, swindle } => {
                if let Some(offer) = self.offer.take() {
                    let diamonds = Cards::COMMON & Cards::of_suit(wonderpost_rules::Suit::Diamonds);
                    self.hand_over(offer.from, offer.to, Cards::one(offer.card), diamonds);
                    self.hand_over(offer.to, offer.from, Cards::one(*card), Cards::COMMON);
                    if *swindle {
                        self.rabbits[offer.to.index()] = Place::Off;
                    }
                }
                self.phase = Phase::Visit;
            }
            Event::Declined => {
                self.offer = None;
                self.phase = Phase::Visit;
            }
            Event::Claimed { house, paid } => {
                self.due = None;
                self.spend(active, *paid);
                self.court.remove(house.royal());
                self.hands[active.index()].insert(house.royal());
                self.phase = Phase::Increment;
                if self.royals(active).len() > CARROTS {
                    self.phase = Phase::Release(After::Claim);
                }
            }
            Event::Drew { drawn } => {
                self.draw(active, *drawn);
                self.end_check();
            }
            Event::Repiled { pile } => {
                self.spent = self.spent - pile.iter().copied().collect();
                self.pile.splice(0..0, pile.iter().rev().copied());
            }
            Event::Won { .. } => {
                self.winner = Some(active);
                self.phase = Phase::Over;
            }
        }
    }

    fn build(&mut self, change: impl FnOnce(&mut Survey)) {
        if let Some(survey) = &mut self.survey {
            change(survey);
            self.land = Land::unturned(survey.layout.clone(), self.suits);
        }
    }

    fn begin_turn(&mut self, seat: Seat, round: u16) {
        self.active = seat;
        self.round = round;
        self.dice = None;
        self.shown = Cards::EMPTY;
        self.flight = None;
        self.attacked = false;
        self.bought = false;
        self.offered = false;
    }

    /// MR-13, MR-18: the hand limit, then the journey.
    fn after_lottery(&mut self) {
        self.phase = if self.over_limit() {
            Phase::Discard(Check::AfterLottery)
        } else if self.flight.is_some() {
            Phase::Flight
        } else if self.rabbit(self.active) == Place::Off {
            Phase::Sinking
        } else {
            Phase::Journey
        };
    }

    /// MR-18: the hand limit, then the next turn.
    fn end_check(&mut self) {
        self.phase = if self.over_limit() { Phase::Discard(Check::AtEnd) } else { Phase::Turning };
    }

    fn check_again(&mut self) {
        match self.phase {
            Phase::Discard(Check::AfterLottery) => self.after_lottery(),
            _ => self.end_check(),
        }
    }

    /// MR-15: where a journey ends.
    fn arrive(&mut self, to: Place, asked: SeatSet) {
        self.rabbits[self.active.index()] = to;
        match to {
            Place::Off => self.end_check(),
            // MR-31: the journey ends there.
            Place::Underground => self.phase = Phase::Increment,
            Place::On(_) if asked.is_empty() => self.phase = Phase::Visit,
            Place::On(at) => {
                let contest = Contest { visitor: self.active, at, asked, answers: vec![None; asked.len()] };
                self.contest = Some(Box::new(contest));
                self.phase = Phase::Contest;
            }
        }
    }

    /// MR-19
    fn throw_off_active(&mut self) {
        self.rabbits[self.active.index()] = Place::Off;
        self.end_check();
    }

    fn enter_release(&mut self, after: After) {
        self.phase = if self.royals(self.active).len() > CARROTS { Phase::Release(after) } else { Phase::Visit };
    }

    /// MR-22, MR-64: cards leave a hand for the spent cards, the court, or the place before their owner.
    fn spend(&mut self, seat: Seat, cards: Cards) {
        let hand = &mut self.hands[seat.index()];
        *hand = *hand - cards;
        self.forget(cards);
        self.court |= cards - Cards::COMMON;
        let mut spent = cards & Cards::COMMON;
        let capital = &mut self.capital[seat.index()];
        if self.options.capital_aces
            && capital.is_none()
            && let Some(ace) = (spent & Cards::ACES).first()
        {
            *capital = Some(ace);
            spent.remove(ace);
        }
        self.spent |= spent;
    }

    /// The cards are on top of the pile.
    fn draw(&mut self, seat: Seat, drawn: Cards) {
        self.pile.truncate(self.pile.len().saturating_sub(drawn.len()));
        self.hands[seat.index()] |= drawn;
    }

    fn move_joker(&mut self, seat: Seat, joker: Card, by: Way) {
        let hand = &mut self.hands[seat.index()];
        if by == Way::Tavern {
            self.court.remove(joker);
            hand.insert(joker);
        } else {
            hand.remove(joker);
            self.court.insert(joker);
        }
    }

    /// Cards pass unseen from hand to hand. Only these two know which of the cards that it might have been.
    fn hand_over(&mut self, from: Seat, to: Seat, cards: Cards, among: Cards) {
        let doubtful = self.hand(from) & among & Cards::COMMON;
        for (place, seen) in self.seen.iter_mut().enumerate() {
            if place != from.index() && place != to.index() {
                *seen = *seen - doubtful;
            }
        }
        self.hands[from.index()] = self.hand(from) - cards;
        self.hands[to.index()] |= cards;
        self.seen[from.index()] |= cards & Cards::COMMON;
        self.seen[to.index()] = self.seen[to.index()] - cards;
    }

    /// Everybody sees whose cards these are.
    fn see(&mut self, cards: Cards) {
        self.seen.iter_mut().for_each(|seen| *seen |= cards & Cards::COMMON);
    }

    fn forget(&mut self, cards: Cards) {
        self.seen.iter_mut().for_each(|seen| *seen = *seen - cards);
    }
}
