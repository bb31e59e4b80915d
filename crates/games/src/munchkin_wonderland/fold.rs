//! Folding: what each fact makes of the table. Nothing is decided here, and no event, however odd, does any harm.

use super::MunchkinWonderland;
use super::event::{Draw, Event};
use super::monster::Monster;
use super::phase::{Fight, Phase, Roll, RollKind, Share, Side, Stage};
use super::place::Place;
use super::player::Player;
use super::room::Room;
use super::tables::tables;
use super::treasure::Treasure;
use wonderpost_rules::Seat;

impl MunchkinWonderland {
    pub(super) fn fold(&mut self, event: &Event) {
        match event {
            Event::Dealt { monsters, treasures, first } => self.deal(monsters, treasures, *first),
            Event::Turn { seat, round, roll } => self.begin_turn(*seat, *round, *roll),
            Event::Went { to } => self.stop_at(*to),
            Event::RolledAgain { roll } => self.rolled(RollKind::Move, *roll),
            Event::Drew { to, draw } => self.draw_for_each(to, draw),
            Event::Entered { draw, roll } => self.enter(draw, *roll),
            Event::Played { friend, instead } => self.befriend(*friend, *instead),
            Event::Changed { card, to, monsters } => self.change_die(*card, *to, *monsters),
            Event::Boosted { card } => self.use_up(*card),
            Event::Threw { card, faces } => self.throw(*card, faces),
            Event::Escaped { card, at } => self.escape(*card, *at),
            Event::Recovered { thimble, card } => self.recover(*thimble, *card),
            Event::Met { room, monsters, shuffled, die, roll } => self.meet(*room, monsters, shuffled, *die, *roll),
            Event::Asked { seats } => self.in_fight(|fight| fight.ask(seats)),
            Event::Answered { seat, willing } => self.in_fight(|fight| fight.answer(*seat, *willing)),
            Event::Joined { helper, roll } => self.join(*helper, *roll),
            Event::Unaided => self.in_fight(|fight| fight.go_unaided()),
            Event::Done => self.in_fight(|fight| fight.stage = Stage::Fighter),
            Event::Won { draw } => self.win(draw),
            Event::Took { card } => self.take_share(*card),
            Event::Ran { roll } => {
                self.leave_fight();
                self.rolled(RollKind::Run, *roll);
            }
            Event::Hid { at, choosing } => {
                self.move_to(self.turn, *at);
                self.phase = if *choosing { Phase::Discard } else { Phase::Between };
            }
            Event::Lost { card } => self.lose(*card),
            Event::Over { .. } => self.phase = Phase::Over,
        }
    }

    fn begin_turn(&mut self, seat: Seat, round: u8, roll: u8) {
        self.turn = seat;
        self.round = round;
        self.rolled(RollKind::Move, roll);
    }

    /// MW-6: a walk ends.
    fn stop_at(&mut self, place: Place) {
        self.move_to(self.turn, place);
        self.phase = Phase::Between;
    }

    /// MW-9, MW-24: a card for each of these seats.
    fn draw_for_each(&mut self, seats: &[Seat], draw: &Draw) {
        let cards = self.draw(draw);
        for (seat, card) in seats.iter().zip(cards) {
            self.with(*seat, |player| player.draw(card));
        }
    }

    /// MW-11
    fn enter(&mut self, draw: &Draw, roll: Option<u8>) {
        self.move_to(self.turn, Place::entrance());
        self.draw_unseen(self.turn, draw);
        match roll {
            Some(roll) => self.rolled(RollKind::Entrance, roll),
            None => self.phase = Phase::Between,
        }
    }

    /// MW-14
    fn befriend(&mut self, friend: Treasure, instead: Option<Treasure>) {
        let discarded = self.with(self.turn, |player| {
            player.spend(friend);
            player.befriend(friend);
            instead.filter(|old| player.part_with(*old))
        });
        self.treasure_discard.extend(discarded.flatten());
    }

    /// MW-17: the roll, the monster's die, or one's own latest die.
    fn change_die(&mut self, card: Treasure, to: u8, monsters: bool) {
        self.use_up(card);
        match &mut self.phase {
            Phase::Rolled(roll) => roll.value = to,
            Phase::Fight(fight) if monsters => fight.die = Some(to),
            Phase::Fight(fight) => {
                if let Some(latest) = fight.acting_mut().dice.last_mut() {
                    *latest = to;
                }
            }
            Phase::Between | Phase::Share(_) | Phase::Discard | Phase::Over => {}
        }
    }

    /// MW-23: the highest counts.
    fn throw(&mut self, card: Treasure, faces: &[u8]) {
        self.use_up(card);
        self.in_fight(|fight| fight.acting_mut().dice.extend(faces.iter().max()));
    }

    /// MW-24
    fn escape(&mut self, card: Treasure, at: Place) {
        self.use_up(card);
        self.leave_fight();
        self.move_to(self.turn, at);
    }

    /// MW-25
    fn recover(&mut self, thimble: Treasure, card: Treasure) {
        self.use_up(thimble);
        if let Some(place) = self.treasure_discard.iter().position(|other| *other == card) {
            self.treasure_discard.remove(place);
            self.with(self.acting(), |player| player.take(card));
        }
    }

    /// MW-26
    fn meet(&mut self, room: Room, monsters: &[Monster], shuffled: &[Monster], die: Option<u8>, roll: u8) {
        self.move_to(self.turn, room.place());
        self.draw_monsters(monsters.len(), shuffled);
        self.phase = Phase::Fight(Fight {
            room,
            monsters: monsters.to_vec(),
            die,
            fighter: Side::new(self.turn, roll),
            helper: None,
            asked: vec![],
            answers: vec![],
            refused: vec![],
            stage: Stage::Fighter,
        });
    }

    /// MW-41
    fn join(&mut self, helper: Seat, roll: u8) {
        let mut place = None;
        self.in_fight(|fight| {
            place = Some(fight.room.place());
            fight.join(helper, roll);
        });
        if let Some(place) = place {
            self.move_to(helper, place);
        }
    }

    /// MW-33, MW-44
    fn win(&mut self, draw: &Draw) {
        let Some(fight) = self.leave_fight() else { return };
        let Some(helper) = fight.helper else { return self.draw_unseen(fight.fighter.seat, draw) };
        let mut cards = self.draw(draw);
        cards.sort_unstable();
        if !cards.is_empty() {
            let (seat, helper) = (fight.fighter.seat, helper.seat);
            self.phase = Phase::Share(Share { seat, helper, room: fight.room, cards });
        }
    }

    /// MW-44
    fn take_share(&mut self, card: Treasure) {
        let Phase::Share(share) = std::mem::replace(&mut self.phase, Phase::Between) else { return };
        let mut cards = share.cards;
        if let Some(place) = cards.iter().position(|other| *other == card) {
            cards.remove(place);
            self.with(share.helper, |player| player.take(card));
        }
        self.with(share.seat, |player| cards.iter().for_each(|card| player.take(*card)));
    }

    /// MW-36
    fn lose(&mut self, card: Treasure) {
        let lost = self.with(self.turn, |player| player.part_with(card) || player.spend(card));
        self.treasure_discard.extend((lost == Some(true)).then_some(card));
        self.phase = Phase::Between;
    }

    fn deal(&mut self, monsters: &[Monster], treasures: &[Treasure], first: Seat) {
        let limits = &tables().limits;
        self.first = first;
        self.turn = first;
        self.monster_deck = monsters.iter().rev().copied().collect();
        let mut treasures = treasures.iter().copied();
        for player in &mut self.players {
            treasures.by_ref().take(limits.deal).for_each(|card| player.draw(card));
        }
        // MW-3: the rest never comes into the game.
        let kept = if self.short { limits.short_deck_per_seat * self.players.len() } else { usize::MAX };
        self.treasure_deck = treasures.by_ref().take(kept).collect();
        self.treasure_deck.reverse();
        self.aside = treasures.collect();
    }

    /// Does something to a player's things.
    fn with<T>(&mut self, seat: Seat, change: impl FnOnce(&mut Player) -> T) -> Option<T> {
        self.players.get_mut(seat.index()).map(change)
    }

    fn in_fight(&mut self, change: impl FnOnce(&mut Fight)) {
        if let Phase::Fight(fight) = &mut self.phase {
            change(fight);
        }
    }

    fn move_to(&mut self, seat: Seat, place: Place) {
        self.with(seat, |player| player.place = place);
    }

    fn rolled(&mut self, kind: RollKind, value: u8) {
        self.phase = Phase::Rolled(Roll { kind, value });
    }

    /// MW-15: a card goes from the hand of whoever acts to the discard pile.
    fn use_up(&mut self, card: Treasure) {
        let spent = self.with(self.acting(), |player| player.spend(card));
        self.treasure_discard.extend((spent == Some(true)).then_some(card));
        self.in_fight(|fight| fight.acting_mut().used.push(card));
    }

    /// The Monster cards of the fight are discarded, in the order drawn.
    fn leave_fight(&mut self) -> Option<Fight> {
        match std::mem::replace(&mut self.phase, Phase::Between) {
            Phase::Fight(fight) => {
                self.monster_discard.extend(&fight.monsters);
                Some(fight)
            }
            Phase::Between | Phase::Rolled(_) | Phase::Share(_) | Phase::Discard | Phase::Over => None,
        }
    }

    /// Takes drawn Treasures from the deck; the cards are named by the draw.
    fn draw(&mut self, draw: &Draw) -> Vec<Treasure> {
        let rest = draw.cards.len().saturating_sub(self.treasure_deck.len());
        self.treasure_deck.truncate(self.treasure_deck.len().saturating_sub(draw.cards.len()));
        // MW-46
        self.last_drawn |= self.treasure_deck.is_empty();
        if !draw.shuffled.is_empty() {
            self.treasure_discard.clear();
            self.reshuffled = true;
            let left = draw.shuffled.len().saturating_sub(rest);
            self.treasure_deck = draw.shuffled.iter().rev().take(left).copied().collect();
        }
        draw.cards.clone()
    }

    fn draw_unseen(&mut self, seat: Seat, draw: &Draw) {
        let cards = self.draw(draw);
        self.with(seat, |player| cards.into_iter().for_each(|card| player.draw(card)));
    }

    /// MW-29: takes so many Monster cards from the deck, and from the shuffled discards.
    fn draw_monsters(&mut self, number: usize, shuffled: &[Monster]) {
        let rest = number.saturating_sub(self.monster_deck.len());
        self.monster_deck.truncate(self.monster_deck.len().saturating_sub(number));
        if !shuffled.is_empty() {
            self.monster_discard.clear();
            let left = shuffled.len().saturating_sub(rest);
            self.monster_deck = shuffled.iter().rev().take(left).copied().collect();
        }
    }
}

impl Fight {
    /// MW-39
    fn ask(&mut self, seats: &[Seat]) {
        self.asked = seats.to_vec();
        self.answers = vec![None; seats.len()];
        self.stage = Stage::Asked;
    }

    /// MW-40
    fn answer(&mut self, seat: Seat, willing: bool) {
        let place = self.asked.iter().position(|asked| *asked == seat);
        if let Some(answer) = place.and_then(|place| self.answers.get_mut(place)) {
            *answer = Some(willing);
        }
    }

    /// MW-41: those asked before the helper have refused. Answers that made no difference stay secret for good.
    fn join(&mut self, helper: Seat, roll: u8) {
        self.refused = self.asked.iter().copied().take_while(|seat| *seat != helper).collect();
        self.answers = vec![];
        self.helper = Some(Side::new(helper, roll));
        self.stage = Stage::Helper;
    }

    /// MW-40: all have refused.
    fn go_unaided(&mut self) {
        self.refused = self.asked.clone();
        self.answers = vec![];
        self.stage = Stage::Fighter;
    }
}
