//! What everybody sees of the table, and what a seat alone sees.

use serde::{Serialize, Serializer};

use super::cards::Cards;
use super::hexagon::{Hexagon, House, Place};
use super::options::Options;
use super::phase::{Action, Phase};
use super::roads::Land;
use super::suits::Suits;
use super::tile::{SquareTile, TriangleTile};
use super::{MessengerRabbits, SEATS};
use wonderpost_rules::{Card, Seat, Suit};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublicView {
    #[serde(serialize_with = "without_drop")]
    pub options: Options,
    #[serde(serialize_with = "letters")]
    pub suits: Suits,
    #[serde(serialize_with = "layout")]
    pub board: Land,
    pub building: Option<Building>,
    pub round: u16,
    pub turn: Option<Seat>,
    pub dice: Option<[u8; 2]>,
    #[serde(serialize_with = "one_list")]
    pub shown: Cards,
    pub rabbits: Vec<Place>,
    pub hands: Vec<usize>,
    #[serde(serialize_with = "lists")]
    pub royals: Vec<Cards>,
    #[serde(serialize_with = "lists")]
    pub jokers: Vec<Cards>,
    pub capital: Vec<Option<Card>>,
    #[serde(serialize_with = "one_list")]
    pub court: Cards,
    pub pile: usize,
    #[serde(serialize_with = "one_list")]
    pub spent: Cards,
    pub flight: Option<ShownFlight>,
    pub contest: Option<ShownContest>,
    pub fight: Option<ShownFight>,
    pub offer: Option<ShownOffer>,
    pub due: Option<Due>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_hands: Option<Vec<Vec<Card>>>,
    /// Of each hand the hidden cards that everybody has seen in it: MR-13 and its like show cards that stay in hand. For the page; the
    /// rulebook's view leaves remembering to the players.
    #[serde(skip)]
    pub known: Vec<Cards>,
}

/// The next of each order, and how many houses are still to be placed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Building {
    pub house: Option<House>,
    pub square: Option<SquareTile>,
    pub triangle: Option<TriangleTile>,
    pub left: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownFlight {
    pub from: Hexagon,
    pub to: Hexagon,
    pub shown: Card,
    pub worth: u16,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownContest {
    pub visitor: Seat,
    pub at: Hexagon,
    pub asked: Vec<Seat>,
    /// `None` until all have answered.
    pub shown: Option<Vec<Vec<Card>>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownFight {
    pub attacker: Seat,
    pub target: Seat,
    pub totals: [u16; 2],
    pub thrown: [Vec<Card>; 2],
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownOffer {
    pub from: Seat,
    pub to: Seat,
    #[serde(rename = "for", serialize_with = "letter")]
    pub suit: Suit,
    /// Always nothing: the card is for the two traders only.
    pub card: Option<Card>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Due {
    #[serde(rename = "for")]
    pub action: String,
    pub price: u16,
    /// The action itself.
    #[serde(skip)]
    pub what: Action,
}

/// What a seat alone sees.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PrivateView {
    #[serde(skip)]
    pub seat: Seat,
    #[serde(serialize_with = "one_list")]
    pub hand: Cards,
    pub offered: Option<Card>,
}

impl PublicView {
    pub fn of(table: &MessengerRabbits) -> PublicView {
        let each = |part: Cards| table.seats().map(|seat| table.hand(seat) & part).collect();
        let building = table.survey.as_ref().map(|survey| Building {
            house: survey.houses.first().copied(),
            square: survey.squares.first().copied(),
            triangle: survey.triangles.first().copied(),
            left: survey.houses.len(),
        });
        let contest = table.contest.as_ref().map(|contest| {
            let answers = contest.answers.iter().map(|answer| answer.unwrap_or_default().to_vec());
            ShownContest {
                visitor: contest.visitor,
                at: contest.at,
                asked: contest.asked.iter().collect(),
                // MR-44: secret until all are in.
                shown: (table.phase == Phase::Prove).then(|| answers.collect()),
            }
        });
        PublicView {
            options: table.options.clone(),
            suits: table.suits,
            board: table.land.clone(),
            building,
            round: table.round,
            turn: (table.round > 0).then_some(table.active),
            dice: table.dice,
            shown: table.shown,
            rabbits: table.seats().map(|seat| table.rabbit(seat)).collect(),
            hands: table.seats().map(|seat| table.hand(seat).len()).collect(),
            royals: each(Cards::ROYALS),
            jokers: each(Cards::JOKERS),
            capital: table.seats().map(|seat| table.capital[seat.index()]).collect(),
            court: table.court,
            pile: table.pile.len(),
            spent: table.spent,
            flight: table.flight.map(|flight| ShownFlight {
                from: flight.from,
                to: flight.to,
                shown: flight.shown,
                worth: flight.worth,
            }),
            contest,
            fight: table.fight.as_ref().map(|fight| ShownFight {
                attacker: fight.attacker,
                target: fight.target,
                totals: fight.totals,
                thrown: fight.thrown.clone(),
            }),
            offer: table.offer.map(|offer| ShownOffer { from: offer.from, to: offer.to, suit: offer.suit, card: None }),
            due: table.due.map(|action| Due {
                action: action.to_string(),
                price: table.due_price(action),
                what: action,
            }),
            final_hands: table.winner.map(|_| table.seats().map(|seat| table.hand(seat).to_vec()).collect()),
            // What a spectator has seen, everybody has.
            known: table.seats().map(|seat| table.hand(seat) & table.seen[SEATS]).collect(),
        }
    }

    /// MR-12: the price of a transfer, once the dice are rolled.
    pub fn price(&self) -> Option<u16> {
        self.dice.map(|[a, b]| u16::from(a) + u16::from(b))
    }

    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        Seat::all(self.rabbits.len() as u8)
    }

    /// Who holds a royal.
    pub fn holder(&self, royal: Card) -> Option<Seat> {
        self.seats().find(|seat| self.royals[seat.index()].contains(royal))
    }
}

impl PrivateView {
    pub fn of(table: &MessengerRabbits, seat: Seat) -> PrivateView {
        let offer = table.offer.filter(|offer| offer.from == seat || offer.to == seat);
        PrivateView { seat, hand: table.hand(seat), offered: offer.map(|offer| offer.card) }
    }
}

fn without_drop<S: Serializer>(options: &Options, serializer: S) -> Result<S::Ok, S::Error> {
    let mut all = serde_json::to_value(options).map_err(serde::ser::Error::custom)?;
    if let Some(all) = all.as_object_mut() {
        all.remove("tight_drop");
    }
    all.serialize(serializer)
}

fn letters<S: Serializer>(suits: &Suits, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(suits.iter().map(Suit::letter))
}

fn letter<S: Serializer>(suit: &Suit, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(suit.letter())
}

fn layout<S: Serializer>(land: &Land, serializer: S) -> Result<S::Ok, S::Error> {
    land.layout.serialize(serializer)
}

fn one_list<S: Serializer>(cards: &Cards, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(cards.iter())
}

fn lists<S: Serializer>(each: &[Cards], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(each.iter().map(|cards| cards.to_vec()))
}
