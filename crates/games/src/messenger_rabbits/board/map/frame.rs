//! The part of the plane that is shown, and what is laid over it.

use super::super::super::MessengerRabbits;
use super::super::super::hexagon::Place;
use super::super::super::roads::Land;
use super::super::super::transfer::trail;
use super::super::super::view::PublicView;
use super::super::choice::Choices;
use super::super::control::{Spot, Target};
use super::super::drawing::{Chart, EDGE, Point, TILE_REACH, hexagon, short};
use super::super::route;
use super::super::way::Ways;
use super::{Control, Shape, TrackLine};
use wonderpost_rules::View;

const MARGIN: f64 = 8.0;
/// How high the Underground is.
const BELOW: f64 = 68.0;
/// How far the middles of a hexagon's sides are from its centre.
const ACROSS: f64 = 0.866 * EDGE;

/// An upright rectangle.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    fn of(x: f64, y: f64, width: f64, height: f64) -> Area {
        Area { x: short(x), y: short(y), width: short(width), height: short(height) }
    }

    pub fn view_box(&self) -> String {
        format!("{} {} {} {}", self.x, self.y, self.width, self.height)
    }

    fn middle(&self) -> Point {
        Point { x: self.x + self.width / 2.0, y: self.y + self.height / 2.0 }
    }

    fn outline(&self) -> String {
        format!("M{} {}h{}v{}h-{}Z", self.x, self.y, self.width, self.height, self.width)
    }

    fn distance(&self, point: Point) -> f64 {
        let beyond = |at: f64, from: f64, length: f64| (from - at).max(at - from - length).max(0.0);
        beyond(point.x, self.x, self.width).hypot(beyond(point.y, self.y, self.height))
    }

    /// Side by side, or one above the other.
    fn halves(&self) -> [Area; 2] {
        if self.height > BELOW {
            let height = (self.height - MARGIN) / 2.0;
            let lower = self.y + height + MARGIN;
            [Area::of(self.x, self.y, self.width, height), Area::of(self.x, lower, self.width, height)]
        } else {
            let width = (self.width - MARGIN) / 2.0;
            let right = self.x + width + MARGIN;
            [Area::of(self.x, self.y, width, self.height), Area::of(right, self.y, width, self.height)]
        }
    }
}

pub(super) struct Frame<'a> {
    land: &'a Land,
    chart: &'a Chart,
    pub shown: Area,
    /// The Underground, and the sea for those off the board.
    pub below: [Area; 2],
}

impl<'a> Frame<'a> {
    pub fn of(land: &'a Land, chart: &'a Chart, choices: &Choices) -> Frame<'a> {
        let plots = choices.targets.iter().filter_map(|target| match target.spot {
            Spot::Site(site) => Some(site),
            Spot::Hexagon(_) | Spot::Underground | Spot::Off => None,
        });
        let sites = land.layout.hexes.iter().map(|(site, _)| *site).chain(plots);
        let homes: Vec<Point> = sites.map(|site| chart.site_centre(site)).collect();
        // Roads that lead off the board reach beyond the hexagons.
        let tiles: Vec<Point> =
            land.layout.triangles.iter().map(|triangle| chart.triangle_centre(triangle.at)).collect();
        let least = |of: fn(&Point) -> f64, reach: f64| {
            let homes = homes.iter().map(|point| of(point) - reach);
            homes.chain(tiles.iter().map(|point| of(point) - TILE_REACH)).fold(f64::INFINITY, f64::min) - MARGIN
        };
        let most = |of: fn(&Point) -> f64, reach: f64| {
            let homes = homes.iter().map(|point| of(point) + reach);
            homes.chain(tiles.iter().map(|point| of(point) + TILE_REACH)).fold(f64::NEG_INFINITY, f64::max) + MARGIN
        };
        let (left, top) = (least(|point| point.x, ACROSS), least(|point| point.y, EDGE));
        let (right, bottom) = (most(|point| point.x, ACROSS), most(|point| point.y, EDGE));
        let width = (right - left).max(420.0);
        let land_shown = Area::of(left - (width - (right - left)) / 2.0, top, width, bottom - top);
        let taken: Vec<(Point, f64)> =
            homes.iter().map(|at| (*at, EDGE + 6.0)).chain(tiles.iter().map(|at| (*at, TILE_REACH))).collect();
        let (shown, below) = match clear_sea(land_shown, &taken) {
            Some(area) => (land_shown, area.halves()),
            None => {
                let Area { x, y, width, height } = land_shown;
                let area = Area::of(x + MARGIN, y + height, width - 2.0 * MARGIN, BELOW);
                (Area::of(x, y, width, height + BELOW + MARGIN), area.halves())
            }
        };
        Frame { land, chart, shown, below }
    }

    pub fn place_centre(&self, place: Place) -> Option<Point> {
        match place {
            Place::On(hexagon) => self.land.layout.site_of(hexagon).map(|site| self.chart.site_centre(site)),
            Place::Underground => Some(self.below[0].middle()),
            Place::Off => Some(self.below[1].middle()),
        }
    }

    /// The ways that rabbits have just taken.
    pub fn routes(&self, before: &PublicView, now: &PublicView) -> Vec<Shape> {
        let mut routes = vec![];
        for seat in now.seats() {
            let (from, to) = (before.rabbits[seat.index()], now.rabbits[seat.index()]);
            if from == to {
                continue;
            }
            let passed = trail(&now.options, before.royals[seat.index()]);
            let road = match (from, to) {
                (Place::On(from), Place::On(to)) => route::by_road(self.land, self.chart, from, to, passed),
                _ => None,
            };
            let class = format!("route seat-{seat}");
            let air = || Some(route::by_air(self.place_centre(from)?, self.place_centre(to)?));
            let by_road = road.is_some();
            if let Some(path) = road.or_else(air) {
                let class = if by_road { class } else { format!("{class} air") };
                routes.push(Shape { path, class });
            }
        }
        routes
    }

    /// The ways of the journeys on offer.
    pub fn tracks(&self, view: &View<MessengerRabbits>, choices: &Choices) -> Vec<TrackLine> {
        let Some(mine) = &view.mine else { return vec![] };
        let ways = Ways {
            land: self.land,
            chart: self.chart,
            from: view.table.rabbits[mine.seat.index()],
            trail: trail(&view.table.options, view.table.royals[mine.seat.index()]),
            burrow: self.below[0].middle(),
            suits: view.table.suits,
        };
        let line = |track: &super::super::control::Track| {
            Some(TrackLine { number: track.number, always: track.always, path: ways.line(&track.mv)? })
        };
        choices.tracks.iter().filter_map(line).collect()
    }

    pub fn control(&self, target: &Target) -> Option<Control> {
        let outline = self.outline(target.spot);
        let boxed = |centre: Point, width: f64, height: f64| Control {
            target: target.clone(),
            x: short(centre.x - width / 2.0),
            y: short(centre.y - height / 2.0),
            width,
            height,
            tag_at: centre.offset(0.0, -0.86 * EDGE),
            outline: outline.clone().unwrap_or_default(),
        };
        let below = |area: Area| Control {
            tag_at: Point { x: area.x + area.width - 36.0, y: area.y + area.height - 20.0 },
            outline: area.outline(),
            ..boxed(area.middle(), area.width, area.height)
        };
        match target.spot {
            Spot::Hexagon(hexagon) => {
                let centre = self.chart.site_centre(self.land.layout.site_of(hexagon)?);
                Some(boxed(centre, 1.62 * EDGE, 1.7 * EDGE))
            }
            Spot::Site(site) => Some(boxed(self.chart.site_centre(site), 1.5 * EDGE, 1.5 * EDGE)),
            Spot::Underground => Some(below(self.below[0])),
            Spot::Off => Some(below(self.below[1])),
        }
    }

    pub fn outline(&self, spot: Spot) -> Option<String> {
        let site = match spot {
            Spot::Hexagon(place) => self.land.layout.site_of(place)?,
            Spot::Site(site) => site,
            Spot::Underground | Spot::Off => return None,
        };
        Some(hexagon(self.chart.site_centre(site), EDGE))
    }
}

/// A piece of sea where the Underground fits, as low as can be; nothing if there is none.
fn clear_sea(shown: Area, taken: &[(Point, f64)]) -> Option<Area> {
    const STEP: f64 = 8.0;
    let wide = [420.0, 380.0, 340.0].map(|width| (width, BELOW));
    let high = [210.0, 170.0].map(|width| (width, 2.0 * BELOW + MARGIN));
    for (width, height) in wide.into_iter().chain(high) {
        let (down, across) = (shown.height - height - 2.0 * MARGIN, shown.width - width - 2.0 * MARGIN);
        let steps = |room: f64| (0..=(room / STEP).max(-1.0).floor() as i32).map(|step| f64::from(step) * STEP);
        for up in steps(down) {
            for left in steps(across) {
                let x = shown.x + shown.width - MARGIN - width - left;
                let y = shown.y + shown.height - MARGIN - height - up;
                let area = Area::of(x, y, width, height);
                if taken.iter().all(|(at, reach)| area.distance(*at) >= *reach) {
                    return Some(area);
                }
            }
        }
    }
    None
}
