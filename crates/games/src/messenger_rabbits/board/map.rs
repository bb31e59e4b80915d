//! The map as a picture: tiles, roads, rabbits, carrots, and the controls over them.

mod frame;
mod land;

pub use self::frame::Area;
use self::frame::Frame;
use self::land::{discs, home, rabbit, square_roads, tiles, triangle_roads};
use super::super::MessengerRabbits;
use super::super::hexagon::{Hexagons, Place};
use super::super::nets::Nets;
use super::super::roads::Land;
use super::super::suits::Suits;
use super::super::text;
use super::super::transfer::{Start, trail};
use super::super::view::PublicView;
use super::choice::Choices;
use super::control::{Spot, Target};
use super::drawing::{Chart, EDGE, Point, hexagon, short};
use crate::playing_cards;
use wonderpost_rules::{Seat, Suit, View};

/// A shape of the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub path: String,
    pub class: String,
}

/// The small tiles of a suit: their outlines, and their landscape.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    pub path: String,
    pub class: String,
    pub land: &'static str,
}

/// A drawing put somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Icon {
    pub href: String,
    pub class: &'static str,
    pub x: f64,
    pub y: f64,
    pub size: f64,
}

/// The sign of a suit, put somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Sign {
    pub letter: char,
    pub suit: &'static str,
    pub at: Point,
    pub scale: f64,
}

/// A disc on which icons stand, with words for those who point at it.
#[derive(Clone, Debug, PartialEq)]
pub struct Disc {
    pub at: Point,
    pub radius: f64,
    pub title: String,
    pub icons: Vec<Icon>,
    pub signs: Vec<Sign>,
}

/// A hexagon with all that is on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Home {
    pub path: String,
    pub class: String,
    pub title: String,
    pub at: Point,
    pub emblem: &'static str,
    /// Rank and suit; the Citadel has none.
    pub rank: Option<&'static str>,
    pub sign: Option<Sign>,
    pub pieces: Vec<Icon>,
}

impl Home {
    pub fn emblem_x(&self) -> f64 {
        short(self.at.x - 20.0)
    }

    pub fn emblem_y(&self) -> f64 {
        short(self.at.y - 46.0)
    }

    /// Where its rank is written.
    pub fn rank_x(&self) -> f64 {
        short(self.at.x - 10.0)
    }

    pub fn rank_y(&self) -> f64 {
        short(self.at.y + 23.0)
    }
}

/// The way of a journey on offer: shown while it is pointed at.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackLine {
    pub number: usize,
    pub always: bool,
    pub path: String,
}

/// A control, as a box over the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    pub target: Target,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    /// Where its word is written.
    pub tag_at: Point,
    pub outline: String,
}

/// A box on the sea: the Underground, or those off the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Below {
    pub area: Area,
    pub title: &'static str,
    pub class: &'static str,
    pub rabbits: Vec<Icon>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    pub view_box: String,
    /// The whole picture, for tapping on it.
    pub whole: Area,
    /// How many times higher than wide it is.
    aspect: f64,
    pub label: String,
    pub tiles: Vec<Ground>,
    pub roads: Vec<Shape>,
    pub discs: Vec<Disc>,
    pub homes: Vec<Home>,
    /// Empty sites that could be built on.
    pub plots: Vec<Shape>,
    /// The ways that rabbits have just taken.
    pub routes: Vec<Shape>,
    /// The ways of the journeys on offer.
    pub tracks: Vec<TrackLine>,
    /// Where the viewer's rabbit is, to be brought into view.
    pub my_place: Option<Point>,
    /// The Underground, and the sea for those off the board.
    pub below: [Below; 2],
    pub controls: Vec<Control>,
    /// The outline of the place that was chosen.
    pub chosen: Option<String>,
    /// For screen readers: who went where.
    pub changes: Vec<String>,
}

impl Map {
    pub fn new(view: &View<MessengerRabbits>, before: Option<&View<MessengerRabbits>>, choices: &Choices) -> Map {
        let table = &view.table;
        let land = &table.board;
        // While it is built, the land stays where it is.
        let chart = if table.building.is_none() { Chart::of(&land.layout) } else { Chart::default() };
        let frame = Frame::of(land, &chart, choices);
        let rich = rich_suits(view);
        let homes = land.layout.hexes.iter();
        Map {
            view_box: frame.shown.view_box(),
            whole: frame.shown,
            aspect: frame.shown.height / frame.shown.width,
            label: label(view),
            tiles: tiles(land, &chart),
            roads: roads(land, &chart, usable_nets(view)),
            discs: discs(table, &chart),
            homes: homes.map(|(site, hexagon)| home(view, *hexagon, chart.site_centre(*site), rich)).collect(),
            plots: plots(&chart, choices),
            routes: before.map(|before| frame.routes(&before.table, table)).unwrap_or_default(),
            tracks: frame.tracks(view, choices),
            my_place: view.mine.as_ref().and_then(|mine| frame.place_centre(table.rabbits[mine.seat.index()])),
            controls: choices.targets.iter().filter_map(|target| frame.control(target)).collect(),
            chosen: choices.chosen.and_then(|spot| frame.outline(spot)),
            changes: before.map(|before| changes(&before.table, view)).unwrap_or_default(),
            below: [
                below("Underground", "below burrow", frame.below[0], riders(table, Place::Underground)),
                below("Off the board", "below", frame.below[1], riders(table, Place::Off)),
            ],
        }
    }

    /// How high it is where it is so wide.
    pub fn height_at(&self, width: f64) -> f64 {
        width * self.aspect
    }
}

fn roads(land: &Land, chart: &Chart, lit: Nets) -> Vec<Shape> {
    let squares = land.layout.squares.iter().zip(&land.pieces);
    let triangles = land.layout.triangles.iter().zip(&land.triangles);
    let mut roads: Vec<Shape> =
        squares.flat_map(|(square, nets)| square_roads(land, chart, square, nets, lit)).collect();
    roads.extend(triangles.map(|(triangle, net)| triangle_roads(land, chart, triangle, *net, lit)));
    roads
}

fn below(title: &'static str, class: &'static str, area: Area, riders: Vec<Seat>) -> Below {
    let rabbits = riders.into_iter().enumerate().map(|(number, seat)| {
        let at = Point { x: area.x + 26.0 + 35.0 * number as f64, y: area.y + area.height - 22.0 };
        rabbit(seat, at, 34.0)
    });
    Below { area, title, class, rabbits: rabbits.collect() }
}

fn plots(chart: &Chart, choices: &Choices) -> Vec<Shape> {
    let sites = choices.targets.iter().filter_map(|target| match target.spot {
        Spot::Site(site) => Some(site),
        Spot::Hexagon(_) | Spot::Underground | Spot::Off => None,
    });
    sites.map(|site| Shape { path: hexagon(chart.site_centre(site), EDGE), class: "plot".to_owned() }).collect()
}

/// The nets that the viewer's rabbit can use from where it is.
fn usable_nets(view: &View<MessengerRabbits>) -> Nets {
    let Some(mine) = &view.mine else { return Nets::NONE };
    let place = mine.seat.index();
    let trail = trail(&view.table.options, view.table.royals[place]);
    Start::of(&view.table.board, view.table.rabbits[place], trail).nets
}

/// The suits in which the viewer could claim a royal.
fn rich_suits(view: &View<MessengerRabbits>) -> Suits {
    let Some(mine) = view.mine.as_ref().filter(|_| !view.over) else { return Suits::NONE };
    let worths = view.table.worths(mine.seat);
    let rich = |suit: &Suit| worths.of_all(mine.hand & Suits::one(*suit).cards()) >= super::super::claim::CLAIM;
    view.table.suits.iter().filter(rich).collect()
}

fn riders(table: &PublicView, place: Place) -> Vec<Seat> {
    table.seats().filter(|seat| table.rabbits[seat.index()] == place).collect()
}

fn label(view: &View<MessengerRabbits>) -> String {
    let places: Vec<String> = view
        .table
        .seats()
        .map(|seat| {
            let place = text::whereabouts(view.table.rabbits[seat.index()]);
            format!("{} {place}", text::reader(view).person(seat).then_does("is"))
        })
        .collect();
    format!("The map: {}.", places.join("; "))
}

/// What has changed, for those who listen.
fn changes(before: &PublicView, view: &View<MessengerRabbits>) -> Vec<String> {
    let now = &view.table;
    let mut changes = vec![];
    for seat in now.seats() {
        let who = text::reader(view).person(seat);
        let place = now.rabbits[seat.index()];
        if before.rabbits[seat.index()] != place {
            changes.push(format!("{} now {}.", who.does("is"), text::whereabouts(place)));
        }
        let (had, has) = (before.royals[seat.index()], now.royals[seat.index()]);
        let won = (has - had).iter().map(|royal| format!("{} the {}.", who.does("has"), playing_cards::name(royal)));
        changes.extend(won);
        let lost =
            (had - has).iter().map(|royal| format!("{} the {} no more.", who.does("has"), playing_cards::name(royal)));
        changes.extend(lost);
    }
    let placed: Hexagons = now.board.hexagons.without(before.board.hexagons);
    changes.extend(placed.iter().map(|hexagon| format!("Newly built: {}.", hexagon.in_words())));
    changes
}
