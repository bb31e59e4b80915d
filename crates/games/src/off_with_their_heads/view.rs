//! What everybody sees of the table, and what a player alone sees.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use super::cards::CardSet;
use super::event::Ranked;
use super::poker::HandRank;
use super::sheet::Sheet;
use super::space::{CELLS, COLUMNS, Colour, MUSHROOMS, Space, TREES, Zone};
use super::task::{Mark, Task};
use super::wonderland::Queen;
use super::{OffWithTheirHeads, Phase};
use wonderpost_rules::{Card, Seat};

/// The table as the view shows it.
#[derive(Clone, Debug, Serialize)]
pub struct PublicView {
    pub round: u8,
    pub rounds: u8,
    pub bout: u8,
    pub queen: Queen,
    /// Highest first.
    pub hierarchy: [Queen; 4],
    pub face_up: Option<Card>,
    /// From the reveal to the end of the bout.
    pub face_down: Option<Card>,
    /// Highest first; empty before the reveal.
    pub ranking: Vec<Placed>,
    pub deck: usize,
    /// Of this round, oldest first.
    pub discard: Vec<Card>,
    pub players: Vec<PlayerSeen>,
    /// The bout before.
    pub last: Option<Last>,
    pub showdown: Option<Vec<ShowdownSeen>>,
}

/// A revealed card in its place.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    pub card: Card,
    /// Nobody's if it came from the deck.
    pub seat: Option<Seat>,
    pub zone: Zone,
}

impl Placed {
    pub const fn new(ranked: Ranked, zone: Zone) -> Placed {
        Placed { card: ranked.card, seat: ranked.seat, zone }
    }
}

/// A seat as everybody sees it.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerSeen {
    pub seat: Seat,
    pub hand: usize,
    pub aside: usize,
    /// As it was when the bout's marking began.
    pub sheet: SheetSeen,
}

/// A sheet as views write it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SheetSeen(pub Sheet);

#[derive(Serialize)]
struct TeacupsSeen {
    gained: u8,
    spent: u8,
}

impl Serialize for SheetSeen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SheetSeen(sheet) = self;
        let meadow: [&[u8]; MUSHROOMS] = std::array::from_fn(|index| sheet.mushroom(index));
        let woods: [Option<u8>; TREES] = std::array::from_fn(|index| sheet.tree(index));
        let cells: [Option<u8>; CELLS] = std::array::from_fn(|index| sheet.cell(index));
        let keep: Vec<&[Option<u8>]> = cells.chunks(COLUMNS).collect();
        let mut seen = serializer.serialize_struct("sheet", 7)?;
        seen.serialize_field("meadow", &meadow)?;
        seen.serialize_field("woods", &woods)?;
        seen.serialize_field("keep", &keep)?;
        seen.serialize_field("teacups", &TeacupsSeen { gained: sheet.gained(), spent: sheet.spent() })?;
        seen.serialize_field("guests", &sheet.guests())?;
        seen.serialize_field("jabberwock", &sheet.keeps_jabberwock_asleep())?;
        seen.serialize_field("points", &sheet.points())?;
        seen.end()
    }
}

/// The bout before: the cards, and what everybody did.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Last {
    pub round: u8,
    pub bout: u8,
    /// As she stood then.
    pub queen: Queen,
    pub ranking: Vec<Placed>,
    /// Seat by seat, in the order made.
    pub marks: Vec<Vec<Made>>,
}

/// A mark as views write it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    pub space: Space,
    pub number: u8,
}

impl From<&Mark> for Made {
    fn from(mark: &Mark) -> Made {
        Made { space: mark.space, number: mark.number }
    }
}

/// A poker hand of the showdown.
#[derive(Clone, Debug, Serialize)]
pub struct ShowdownSeen {
    pub seat: Seat,
    pub aside: CardSet,
    pub hand: Vec<Card>,
    pub rank: HandRank,
    pub vp: i64,
    pub bonus: i64,
}

/// What a player alone sees.
#[derive(Clone, Debug, Serialize)]
pub struct PrivateView {
    /// Whose view it is.
    #[serde(skip)]
    pub seat: Seat,
    pub hand: CardSet,
    pub chosen: Option<Card>,
    pub aside: CardSet,
    pub task: Option<TaskSeen>,
    pub sheet: SheetSeen,
    pub made: Vec<Made>,
}

/// The mark asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskSeen {
    pub kind: &'static str,
    /// Where it may go without teacups.
    pub zones: Vec<Zone>,
    pub numbers: Vec<u8>,
    pub color: Option<Colour>,
    /// How many older bonus marks wait after it.
    pub then: usize,
    /// The same for those who look ahead.
    #[serde(skip)]
    pub task: Task,
}

impl PublicView {
    pub fn of(state: &OffWithTheirHeads) -> PublicView {
        PublicView {
            round: state.round,
            rounds: state.rounds,
            bout: state.bout,
            queen: state.queen,
            hierarchy: state.queen.hierarchy(),
            face_up: state.face_up,
            face_down: state.face_down.filter(|_| state.phase == Phase::Mark),
            ranking: state.zones().map(|(ranked, zone)| Placed::new(ranked, zone)).collect(),
            deck: state.deck.len(),
            discard: state.discard.clone(),
            players: Seat::all(state.seats())
                .zip(&state.players)
                .map(|(seat, player)| PlayerSeen {
                    seat,
                    hand: player.hand.len(),
                    aside: player.all_aside().len(),
                    sheet: SheetSeen(player.shown),
                })
                .collect(),
            last: state.last.clone(),
            showdown: state.ending.as_ref().map(|ending| {
                let seats = Seat::all(state.seats()).zip(&state.players).zip(&ending.showdown);
                seats
                    .map(|((seat, player), shown)| ShowdownSeen {
                        seat,
                        aside: player.all_aside(),
                        hand: shown.hand.clone(),
                        rank: shown.rank,
                        vp: shown.vp,
                        bonus: shown.bonus,
                    })
                    .collect()
            }),
        }
    }

    /// OWH-9: the zone of a seat's card in this bout.
    pub fn zone_of(&self, seat: Seat) -> Option<Zone> {
        self.ranking.iter().find(|placed| placed.seat == Some(seat)).map(|placed| placed.zone)
    }
}

impl PrivateView {
    pub fn of(state: &OffWithTheirHeads, seat: Seat) -> PrivateView {
        let Some(player) = state.player(seat) else {
            // No such seat, nothing to see.
            return PrivateView {
                seat,
                hand: CardSet::EMPTY,
                chosen: None,
                aside: CardSet::EMPTY,
                task: None,
                sheet: SheetSeen(Sheet::default()),
                made: vec![],
            };
        };
        PrivateView {
            seat,
            hand: player.hand,
            chosen: player.chosen,
            aside: player.all_aside(),
            task: player.chain.task().map(|task| TaskSeen {
                kind: task.prompt(),
                zones: task.zones(),
                numbers: task.numbers(),
                color: task.colour(),
                then: player.chain.waiting(),
                task: *task,
            }),
            sheet: SheetSeen(player.chain.sheet),
            made: player.chain.made().map(Made::from).collect(),
        }
    }
}
