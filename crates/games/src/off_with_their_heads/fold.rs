//! Folding: what each fact makes of the table. Nothing is decided here, and no event, however odd, does any harm.

use super::chain::Chain;
use super::event::{Event, Ranked};
use super::view::{Last, Made, Placed};
use super::{BOUTS, Ending, OffWithTheirHeads, Phase};

impl OffWithTheirHeads {
    pub(super) fn fold(&mut self, event: &Event) {
        match event {
            Event::Dealt { round, hands, deck } => {
                self.round = *round;
                self.bout = 1;
                self.deck.clone_from(deck);
                if !self.discard.is_empty() {
                    self.discarded.push(self.discard.drain(..).collect());
                }
                for (player, hand) in self.players.iter_mut().zip(hands) {
                    player.hand = hand.iter().copied().collect();
                }
                self.phase = Phase::Choose;
            }
            Event::Turned { face_up, face_down } => {
                let extra = 1 + usize::from(face_down.is_some());
                self.deck.drain(..extra.min(self.deck.len()));
                self.face_up = Some(*face_up);
                self.face_down = *face_down;
            }
            Event::Chose { seat, card } => {
                if let Some(player) = self.players.get_mut(seat.index()) {
                    player.chosen = Some(*card);
                }
            }
            Event::Revealed { ranking } => self.reveal(ranking),
            Event::Marked { .. } | Event::Lost { .. } | Event::Skipped { .. } | Event::Lapsed { .. } => {
                if let Some((seat, deed)) = event.deed()
                    && let Some(player) = self.players.get_mut(seat.index())
                {
                    player.chain.apply(deed);
                }
            }
            Event::BoutEnded => self.end_bout(),
            Event::RoundEnded => {
                for player in &mut self.players {
                    player.aside.push(std::mem::take(&mut player.hand));
                }
                self.phase = Phase::Between;
            }
            Event::Over { showdown, totals, winner } => {
                self.ending = Some(Ending { showdown: showdown.clone(), totals: totals.clone(), winner: *winner });
                self.phase = Phase::Over;
            }
        }
    }

    fn reveal(&mut self, ranking: &[Ranked]) {
        self.ranking = ranking.to_vec();
        let zones: Vec<_> = self.zones().collect();
        for (ranked, zone) in zones {
            let player = ranked.seat.and_then(|seat| self.players.get_mut(seat.index()));
            if let Some(player) = player {
                player.hand.remove(ranked.card);
                player.chain = Chain::of_card(player.chain.sheet, ranked.card, zone);
            }
        }
        self.phase = Phase::Mark;
    }

    fn end_bout(&mut self) {
        self.last = Some(Last {
            round: self.round,
            bout: self.bout,
            queen: self.queen,
            ranking: self.zones().map(|(ranked, zone)| Placed::new(ranked, zone)).collect(),
            marks: self.players.iter().map(|player| player.chain.made().map(Made::from).collect()).collect(),
        });
        self.discard.extend(self.ranking.drain(..).map(|ranked| ranked.card));
        self.face_up = None;
        self.face_down = None;
        for player in &mut self.players {
            player.chosen = None;
            player.chain = Chain::rest(player.chain.sheet);
            player.shown = player.chain.sheet;
        }
        self.queen = self.queen.next();
        if self.bout < BOUTS {
            self.bout += 1;
            self.phase = Phase::Choose;
        } else {
            self.phase = Phase::Between;
        }
    }
}
