//! What everybody sees of the table, and what a seat alone sees.

use serde::Serialize;

use super::MunchkinWonderland;
use super::monster::Monster;
use super::phase::{Fight, Phase, Roll, Share, Side};
use super::place::Place;
use super::room::Room;
use super::treasure::Treasure;
use wonderpost_rules::Seat;

/// The table as the view shows it.
#[derive(Clone, Debug, Serialize)]
pub struct PublicView {
    pub round: u8,
    /// Whose turn it is; at the end, whose it was.
    pub turn: Seat,
    pub first: Seat,
    pub places: Vec<Place>,
    pub friends: Vec<Vec<Treasure>>,
    pub hand_counts: Vec<usize>,
    pub treasure_deck: usize,
    /// Oldest first.
    pub treasure_discard: Vec<Treasure>,
    pub monster_deck: usize,
    /// Oldest first, without the cards of the present fight.
    pub monster_discard: Vec<Monster>,
    /// Cards put aside in a short game.
    pub aside: usize,
    pub roll: Option<Roll>,
    pub fight: Option<FightView>,
    pub share: Option<Share>,
    /// All hands, when the game is over.
    pub hands: Option<Vec<Vec<Treasure>>>,
}

/// A fight as everybody sees it. Answers are not in it.
#[derive(Clone, Debug, Serialize)]
pub struct FightView {
    pub room: Room,
    pub monsters: Vec<Monster>,
    pub die: Option<u8>,
    pub monster_power: u8,
    pub fighter: SideView,
    pub helper: Option<SideView>,
    pub can_ask: Vec<Seat>,
    pub asked: Vec<Seat>,
    pub refused: Vec<Seat>,
}

impl FightView {
    /// The Power of fighter and helper together.
    pub fn players_power(&self) -> u8 {
        self.fighter.power.saturating_add(self.helper.as_ref().map_or(0, |helper| helper.power))
    }

    /// How much the players lack.
    pub fn gap(&self) -> u8 {
        self.monster_power.saturating_sub(self.players_power())
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct SideView {
    pub seat: Seat,
    pub dice: Vec<u8>,
    pub used: Vec<Treasure>,
    /// With Friends and boosts.
    pub power: u8,
}

/// What a seat alone sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PrivateView {
    /// Whose view it is; for page and bots, not part of the view as it is written.
    #[serde(skip)]
    pub seat: Seat,
    pub hand: Vec<Treasure>,
    /// The Gold in it.
    pub gold: u16,
    /// What this seat has answered to a call for help that is still open.
    pub answer: Option<&'static str>,
}

impl PublicView {
    pub(super) fn of(state: &MunchkinWonderland) -> PublicView {
        let players = &state.players;
        PublicView {
            round: state.round,
            turn: state.turn,
            first: state.first,
            places: players.iter().map(|player| player.place).collect(),
            friends: players.iter().map(|player| player.friends.clone()).collect(),
            hand_counts: players.iter().map(|player| player.hand.len()).collect(),
            treasure_deck: state.treasure_deck.len(),
            treasure_discard: state.treasure_discard.clone(),
            monster_deck: state.monster_deck.len(),
            monster_discard: state.monster_discard.clone(),
            aside: state.aside.len(),
            roll: match state.phase {
                Phase::Rolled(roll) => Some(roll),
                _ => None,
            },
            fight: match &state.phase {
                Phase::Fight(fight) => Some(FightView::of(state, fight)),
                _ => None,
            },
            share: match &state.phase {
                Phase::Share(share) => Some(share.clone()),
                _ => None,
            },
            hands: (state.phase == Phase::Over).then(|| players.iter().map(|player| player.hand.clone()).collect()),
        }
    }
}

impl FightView {
    fn of(state: &MunchkinWonderland, fight: &Fight) -> FightView {
        let side = |side: &Side| SideView {
            seat: side.seat,
            dice: side.dice.clone(),
            used: side.used.clone(),
            power: state.power(side, fight.room),
        };
        FightView {
            room: fight.room,
            monsters: fight.monsters.clone(),
            die: fight.die,
            monster_power: fight.monster_power(),
            fighter: side(&fight.fighter),
            helper: fight.helper.as_ref().map(side),
            can_ask: state.can_ask(fight),
            asked: fight.asked.clone(),
            refused: fight.refused.clone(),
        }
    }
}

impl PrivateView {
    pub(super) fn of(state: &MunchkinWonderland, seat: Seat) -> PrivateView {
        let player = state.player(seat);
        let answer = match &state.phase {
            Phase::Fight(fight) => fight.answer_of(seat),
            _ => None,
        };
        PrivateView {
            seat,
            hand: player.hand.clone(),
            gold: player.gold(),
            answer: answer.map(|willing| if willing { "help" } else { "refuse" }),
        }
    }
}
