//! A table while something is being decided: what was recorded so far, and the state that it makes.

use chrono::{DateTime, Utc};

use crate::tables::lifecycle::endings::reveal_if_over;
use crate::tables::play::plans::Answers;
use crate::tables::state::concealed::is_concealed;
use crate::tables::state::record::{By, Chain, TableFact};
use crate::tables::state::table_state::TableState;
use crate::tables::{CachedTable, MoveError, ReadError};
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{AnyMove, Decided, Refusal, Seat};

/// The most answers in advance that are made in one go: a guard against games that never stop asking.
const MOST_ANSWERS: usize = 500;

/// What moves said in advance have for a form.
const NO_FORM: &str = "";

pub(crate) struct Deciding<'a> {
    cached: &'a CachedTable,
    seed: &'a Seed,
    pub now: TableState,
    pub chain: Chain,
    /// Chance was drawn or hidden knowledge came up.
    pub revealing: bool,
    /// How many records come before that.
    pub foreseeable: usize,
    pub answers: Answers,
}

impl<'a> Deciding<'a> {
    pub fn new(cached: &'a CachedTable, seed: &'a Seed, answers: Answers, at: DateTime<Utc>) -> Deciding<'a> {
        let now = cached.now.clone();
        let chain = now.chain(cached.id, at);
        Deciding { cached, seed, now, chain, revealing: false, foreseeable: 0, answers }
    }

    /// Whoever moves themselves is back, if a bot kept their seat.
    pub fn note_return(&mut self, seat: Seat) -> Result<(), MoveError> {
        if self.now.times.kept.contains(seat) {
            let moves = self.now.moves;
            self.now
                .record(&mut self.chain, moves, Some(seat), &TableFact::Returned { seat })
                .map_err(ReadError::from)?;
        }
        Ok(())
    }

    /// Makes a move. A refusal changes nothing.
    pub fn make(&mut self, seat: Seat, mv: &AnyMove, form: &str, by: By) -> Result<(), MoveError> {
        match self.now.position.decide_move(seat, mv, &mut self.seed.chance(self.now.draws)) {
            Ok(decided) => self.record(seat, mv.as_str(), form, by, decided),
            Err(refusal) => Err(MoveError::Refused { line: None, refusal }),
        }
    }

    fn record(&mut self, seat: Seat, line: &str, form: &str, by: By, decided: Decided) -> Result<(), MoveError> {
        let was_foreseeable = !self.revealing;
        self.revealing |= decided.revealing;
        let number = self.now.moves + 1;
        let concealed = is_concealed(&*self.now.position, &*decided.position, seat);
        let (line, form, reversible) = (line.to_owned(), form.to_owned(), decided.reversible);
        let fact = TableFact::Said { line, form, by, concealed, reversible };
        self.now.record(&mut self.chain, number, Some(seat), &fact).map_err(ReadError::from)?;
        for draw in decided.draws {
            self.now.record(&mut self.chain, number, Some(seat), &TableFact::Drew(draw)).map_err(ReadError::from)?;
        }
        let first = self.chain.records.len();
        if was_foreseeable {
            self.foreseeable = first + decided.foreseeable;
        }
        for fact in decided.facts {
            self.chain.add(number, Some(seat), fact);
        }
        self.now.adopt(&self.chain.records[first..], &decided.awaiting, decided.position);
        reveal_if_over(&mut self.now, &mut self.chain, self.cached.secret.as_ref())?;
        Ok(())
    }

    /// Whether somebody is asked who may have answered in advance.
    pub fn may_be_answered(&self) -> bool {
        self.now.awaiting().iter().any(|seat| {
            self.may_have_answered(seat)
                && self.now.position.prompt(seat).is_some_and(|asked| {
                    self.now.position.plannable_prompts(seat).iter().any(|prompt| prompt.prompt == asked)
                })
        })
    }

    /// Bots leave nothing, but the preset of a table binds them, too.
    fn may_have_answered(&self, seat: Seat) -> bool {
        self.now.bot_at(seat).is_none() || self.now.opened.preset_answers
    }

    /// Makes what was said in advance, as long as anybody is asked for it, and clears away what has had its time.
    pub fn settle(&mut self) -> Result<(), MoveError> {
        for _ in 0..MOST_ANSWERS {
            let asked: Vec<Seat> = self.now.awaiting().iter().collect();
            let mut made = false;
            for seat in asked {
                if self.answer_once(seat)? {
                    made = true;
                    break;
                }
            }
            if !made {
                break;
            }
        }
        self.answers.clear_away(&self.now);
        Ok(())
    }

    /// Makes the first legal line that a seat has left for what it is asked; whether there was one.
    pub fn answer_once(&mut self, seat: Seat) -> Result<bool, MoveError> {
        if !self.now.awaiting().contains(seat) || !self.may_have_answered(seat) {
            return Ok(false);
        }
        let Some((prompt, lines)) = self.answers.lines_for(&self.now, seat) else { return Ok(false) };
        let mut why = Refusal::new("");
        for line in lines {
            match self.now.position.decide_line(seat, &line, &mut self.seed.chance(self.now.draws)) {
                Ok(decided) => {
                    self.record(seat, &line, NO_FORM, By::Standing, decided)?;
                    if self.now.bot_at(seat).is_none() {
                        self.answers.used(seat, &prompt, &line);
                    }
                    return Ok(true);
                }
                Err(refusal) => why = refusal,
            }
        }
        if self.now.bot_at(seat).is_none() {
            self.answers.failed(seat, &prompt, &why);
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use wonderpost_games::catalogue;
    use wonderpost_rules::Level;

    use crate::tables::play::test_table::table;

    /// Plays a game of one against a bot with the preset answers of Messenger Rabbits; gives back how often the bot was asked whether
    /// it contests, and how often an answer was made for it.
    fn play(preset: bool, number: u64) -> (usize, usize) {
        let game = catalogue().find("messenger-rabbits").unwrap();
        let seed = Seed::of_number(number);
        let dealt = game.begin(&game.default_options(), 2).unwrap().set_up(&mut seed.chance(0)).unwrap();
        let mut cached = table(game, &game.default_options(), 2, dealt.position);
        let bot = Seat::new(2).unwrap();
        cached.now.opened.preset_answers = preset;
        cached.now.bots.push((bot, Level::Decent));
        let mut rng = SmallRng::seed_from_u64(number);
        let (mut asked, mut answered) = (0, 0);
        for _ in 0..400 {
            let Some(seat) = cached.now.awaiting().iter().next() else { break };
            asked += usize::from(seat == bot && cached.now.position.prompt(bot) == Some("contest"));
            let moves = cached.now.position.bot(Level::Easy, seat, &mut rng);
            let mut deciding = Deciding::new(&cached, &seed, Answers::default(), Utc::now());
            deciding.make(seat, &moves[0], NO_FORM, By::Holder).unwrap();
            deciding.settle().unwrap();
            let by_itself = |record: &&crate::tables::state::record::Record| {
                record.seat == Some(bot) && record.body.get().contains("standing")
            };
            answered += deciding.chain.records.iter().filter(by_itself).count();
            cached.now = deciding.now;
        }
        (asked, answered)
    }

    #[test]
    fn the_preset_of_a_table_binds_bots_too() {
        let sum =
            |preset| (0..6).map(|number| play(preset, number)).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let (asked, answered) = sum(true);
        assert!(asked == 0 && answered > 0, "asked {asked} times, answered {answered} times");
        let (asked, answered) = sum(false);
        assert!(asked > 0 && answered == 0, "asked {asked} times, answered {answered} times");
    }
}
