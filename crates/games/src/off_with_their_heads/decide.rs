//! Deciding: what the deal and each move bring about, up to the next decision.

use super::cards::CardSet;
use super::event::{Event, Ranked, Shown};
use super::layout::layout;
use super::moves::Move;
use super::poker::Hand;
use super::{BOUTS, OffWithTheirHeads, Phase, cards};
use wonderpost_rules::{Card, Recorder, Refusal, Seat};

type Record<'a> = Recorder<'a, OffWithTheirHeads>;

/// OWH-4: a round begins.
pub fn deal(record: &mut Record) -> Result<(), Refusal> {
    let aside = record.players.iter().fold(CardSet::EMPTY, |aside, player| aside.with(player.all_aside()));
    let cards: Vec<Card> = CardSet::ALL.without(aside).iter().collect();
    let mut deck = record.shuffle(&cards)?;
    let size = usize::from(record.hand_size());
    let hands = Seat::all(record.seats()).map(|_| deck.drain(..size.min(deck.len())).collect()).collect();
    let round = record.round + 1;
    record.record(Event::Dealt { round, hands, deck });
    turn_up(record);
    Ok(())
}

/// OWH-5: four cards are in every bout.
fn turn_up(record: &mut Record) {
    let extra = match record.seats() {
        2 => [record.deck.first().copied(), record.deck.get(1).copied()],
        3 => [record.deck.first().copied(), None],
        _ => [None, None],
    };
    if let [Some(face_up), face_down] = extra {
        record.record(Event::Turned { face_up, face_down });
    }
}

pub fn decide(record: &mut Record, seat: Seat, mv: Move) -> Result<(), Refusal> {
    match record.phase {
        Phase::Choose => choose(record, seat, mv),
        Phase::Mark => {
            let Some(player) = record.player(seat) else { return Err(Refusal::new("There is no such seat.")) };
            let deed = player.chain.decide(mv)?;
            record.record(Event::of_deed(seat, deed));
            carry_on(record, seat);
            end_bout_if_done(record)
        }
        Phase::Between | Phase::Over => Err(Refusal::new("There is nothing to decide.")),
    }
}

/// OWH-6
fn choose(record: &mut Record, seat: Seat, mv: Move) -> Result<(), Refusal> {
    let Move::Play(card) = mv else {
        return Err(Refusal::new("First everybody chooses a card, as in “play 9C”; then you mark."));
    };
    if !record.player(seat).is_some_and(|player| player.hand.contains(card)) {
        return Err(Refusal::new(format!("The {} is not in your hand.", cards::short(card))));
    }
    record.record(Event::Chose { seat, card });
    if !record.players.iter().all(|player| player.chosen.is_some()) {
        return Ok(());
    }
    let ranking = ranking(record);
    record.record(Event::Revealed { ranking });
    Seat::all(record.seats()).for_each(|seat| carry_on(record, seat));
    end_bout_if_done(record)
}

/// OWH-8: the four cards from highest to lowest.
fn ranking(table: &OffWithTheirHeads) -> [Ranked; 4] {
    let chosen = Seat::all(table.seats()).filter_map(|seat| {
        let card = table.player(seat)?.chosen?;
        Some(Ranked { card, seat: Some(seat) })
    });
    let extra = [table.face_up, table.face_down].into_iter().flatten().map(|card| Ranked { card, seat: None });
    let mut ranking: Vec<Ranked> = chosen.chain(extra).collect();
    ranking.sort_by_key(|ranked| std::cmp::Reverse(table.queen.strength(ranked.card)));
    ranking.try_into().expect("four cards are in every bout")
}

/// Records what a seat's chain does without asking.
fn carry_on(record: &mut Record, seat: Seat) {
    while let Some(deed) = record.player(seat).and_then(|player| player.chain.by_itself()) {
        record.record(Event::of_deed(seat, deed));
    }
}

/// OWH-31 to OWH-33
fn end_bout_if_done(record: &mut Record) -> Result<(), Refusal> {
    if !record.players.iter().all(|player| player.chain.is_done()) {
        return Ok(());
    }
    let last_of_round = record.bout >= BOUTS;
    record.record(Event::BoutEnded);
    if !last_of_round {
        turn_up(record);
        return Ok(());
    }
    record.record(Event::RoundEnded);
    if record.round < record.rounds {
        return deal(record);
    }
    let over = score(record);
    record.record(over);
    Ok(())
}

/// OWH-34 to OWH-40
fn score(table: &OffWithTheirHeads) -> Event {
    let hands: Vec<Hand> = table.players.iter().map(|player| Hand::best(player.all_aside())).collect();
    let best = hands.iter().max();
    let showdown: Vec<Shown> = hands
        .iter()
        .map(|hand| Shown {
            hand: hand.cards.clone(),
            rank: hand.rank,
            vp: hand.rank.vp(),
            bonus: if Some(hand) == best { i64::from(layout().poker_best_bonus) } else { 0 },
        })
        .collect();
    let totals: Vec<i64> = table
        .players
        .iter()
        .zip(&showdown)
        .map(|(player, shown)| player.chain.sheet.points().total + shown.vp + shown.bonus)
        .collect();
    // OWH-40: of equal totals the better hand.
    let winner = Seat::all(table.seats()).max_by_key(|seat| (totals[seat.index()], &hands[seat.index()]));
    Event::Over { showdown, totals, winner: winner.expect("there are seats") }
}
