//! Where the game stands: rolls, fights, and what is shared after one.

use serde::{Deserialize, Serialize};

use super::monster::Monster;
use super::room::Room;
use super::treasure::{Die, Treasure};
use wonderpost_rules::Seat;

/// What is being decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Nothing: only within a decision, and before the deal.
    Between,
    /// Where to go by this roll.
    Rolled(Roll),
    /// How to go on in a fight that the monster is winning.
    Fight(Fight),
    /// MW-44: which Treasure the helper takes.
    Share(Share),
    /// MW-36: which card is lost.
    Discard,
    Over,
}

/// The decision that a phase comes to, as everybody may know it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Roll(RollKind),
    Fight,
    /// Those asked for help answer.
    Help,
    /// The helper uses cards.
    Assist,
    Share,
    Discard,
    Over,
}

impl From<Step> for &'static str {
    fn from(step: Step) -> &'static str {
        step.step().name()
    }
}

impl Phase {
    pub fn step(&self) -> Step {
        match self {
            Phase::Between => Step::Roll(RollKind::Move),
            Phase::Rolled(roll) => Step::Roll(roll.kind),
            Phase::Fight(fight) => match fight.stage {
                Stage::Fighter => Step::Fight,
                Stage::Asked => Step::Help,
                Stage::Helper => Step::Assist,
            },
            Phase::Share(_) => Step::Share,
            Phase::Discard => Step::Discard,
            Phase::Over => Step::Over,
        }
    }
}

/// A die that one moves by.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    pub kind: RollKind,
    /// As changed.
    pub value: u8,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RollKind {
    Move,
    Entrance,
    Run,
}

impl RollKind {
    /// The die as changers know it.
    pub const fn die(self) -> Die {
        match self {
            RollKind::Move => Die::Move,
            RollKind::Entrance => Die::Entrance,
            RollKind::Run => Die::Run,
        }
    }
}

/// A fight that goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fight {
    pub room: Room,
    /// In the order drawn.
    pub monsters: Vec<Monster>,
    /// The monster's die, as changed.
    pub die: Option<u8>,
    pub fighter: Side,
    pub helper: Option<Side>,
    /// MW-39: in the order given; nobody was asked yet if there are none.
    pub asked: Vec<Seat>,
    /// MW-40: the answers of those asked, as long as the question is open. They are secret.
    pub answers: Vec<Option<bool>>,
    /// Known refusals, in the order asked.
    pub refused: Vec<Seat>,
    pub stage: Stage,
}

/// Who is to speak in a fight.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Fighter,
    /// Those asked for help.
    Asked,
    Helper,
}

/// One player in a fight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    pub seat: Seat,
    /// In order, as changed.
    pub dice: Vec<u8>,
    /// One-time cards used in this fight, in order.
    pub used: Vec<Treasure>,
}

impl Side {
    pub fn new(seat: Seat, die: u8) -> Side {
        Side { seat, dice: vec![die], used: vec![] }
    }

    /// MW-30: dice and boosts, without Friends.
    pub fn power(&self, room: Room) -> u8 {
        let boosts = self.used.iter().map(|card| card.bonus_in(room));
        boosts.chain(self.dice.iter().copied()).fold(0, u8::saturating_add)
    }
}

impl Fight {
    /// MW-30: the Room's Power, its cards and its die.
    pub fn monster_power(&self) -> u8 {
        let cards = self.monsters.iter().map(|monster| monster.bonus());
        cards.chain(self.die).fold(self.room.facts().power, u8::saturating_add)
    }

    /// MW-40: who has been asked and has not answered.
    pub fn unheard(&self) -> impl Iterator<Item = Seat> {
        self.asked.iter().zip(&self.answers).filter(|(_, answer)| answer.is_none()).map(|(seat, _)| *seat)
    }

    /// What a seat has answered, as long as the question is open.
    pub fn answer_of(&self, seat: Seat) -> Option<bool> {
        let place = self.asked.iter().position(|asked| *asked == seat)?;
        self.answers.get(place).copied().flatten()
    }

    /// MW-40: how the question is settled, if it is.
    pub fn settled(&self) -> Option<Settled> {
        let mut answers = self.asked.iter().zip(&self.answers);
        match answers.find(|(_, answer)| **answer != Some(false)) {
            None => Some(Settled::Nobody),
            Some((seat, Some(_))) => Some(Settled::Helper(*seat)),
            Some((_, None)) => None,
        }
    }

    /// The side whose player uses Treasures now.
    pub fn acting(&self) -> &Side {
        match (&self.stage, &self.helper) {
            (Stage::Helper, Some(helper)) => helper,
            _ => &self.fighter,
        }
    }

    pub fn acting_mut(&mut self) -> &mut Side {
        match (&self.stage, &mut self.helper) {
            (Stage::Helper, Some(helper)) => helper,
            _ => &mut self.fighter,
        }
    }
}

/// What came of a call for help.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    Helper(Seat),
    Nobody,
}

/// MW-44: Treasures won with a helper, shown to all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The fighter.
    pub seat: Seat,
    pub helper: Seat,
    pub room: Room,
    /// In byte order.
    pub cards: Vec<Treasure>,
}
