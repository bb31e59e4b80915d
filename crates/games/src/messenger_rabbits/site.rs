//! MR-3: the sites that hexagons lie on, and the slots for squares and triangles between them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use wonderpost_rules::Refusal;

/// A place for a hexagon, such as `e5`. Sites are in order of their names.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Site {
    /// From 0, top to bottom.
    row: u8,
    /// From 0, along the row.
    number: u8,
}

/// Rows and numbers go from 0 to 8; the middle is 4.
const SIDE: u8 = 9;
const MIDDLE: i8 = SIDE as i8 / 2;

/// The six neighbours, as steps of number and row.
const STEPS: [(i8, i8); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

impl Site {
    /// Where the Citadel is.
    pub const CITADEL: Site = Site { row: 4, number: 4 };

    /// The site at these coordinates, both 0 in the middle.
    fn at(q: i8, r: i8) -> Option<Site> {
        let fits = |coordinate: i8| (-MIDDLE..=MIDDLE).contains(&coordinate);
        (fits(q) && fits(r) && fits(q + r)).then(|| Site { row: (r + MIDDLE) as u8, number: (q + MIDDLE) as u8 })
    }

    const fn q(self) -> i8 {
        self.number as i8 - MIDDLE
    }

    const fn r(self) -> i8 {
        self.row as i8 - MIDDLE
    }

    /// All 61 sites, in order.
    pub fn all() -> impl Iterator<Item = Site> {
        (-MIDDLE..=MIDDLE).flat_map(|r| (-MIDDLE..=MIDDLE).filter_map(move |q| Site::at(q, r)))
    }

    /// The neighbours, in order of their names.
    pub fn neighbours(self) -> impl Iterator<Item = Site> {
        // Row above, own row, row below.
        const IN_ORDER: [(i8, i8); 6] = [STEPS[4], STEPS[5], STEPS[3], STEPS[0], STEPS[2], STEPS[1]];
        IN_ORDER.into_iter().filter_map(move |(q, r)| Site::at(self.q() + q, self.r() + r))
    }

    pub fn distance(self, other: Site) -> u8 {
        let (q, r) = (self.q() - other.q(), self.r() - other.r());
        q.unsigned_abs().max(r.unsigned_abs()).max((q + r).unsigned_abs())
    }

    pub fn is_beside(self, other: Site) -> bool {
        self.distance(other) == 1
    }

    /// The middle of the site in a drawing whose hexagons have edges of length 1; the Citadel is at 0, 0.
    pub fn centre(self) -> (f64, f64) {
        let spacing = 1.0 + 3f64.sqrt();
        let (q, r) = (f64::from(self.q()), f64::from(self.r()));
        (spacing * (q + r / 2.0), spacing * r * 3f64.sqrt() / 2.0)
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.row) as char, self.number + 1)
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Site {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Site, Refusal> {
        let refuse = || Refusal::new(format!("“{text}” is no site: a site is written like e5."));
        let [row, number] = text.as_bytes() else { return Err(refuse()) };
        let row = row.checked_sub(b'a').filter(|row| *row < SIDE).ok_or_else(refuse)?;
        let number = number.checked_sub(b'1').filter(|number| *number < SIDE).ok_or_else(refuse)?;
        Site::at(number as i8 - MIDDLE, row as i8 - MIDDLE).ok_or_else(refuse)
    }
}

impl TryFrom<String> for Site {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Site, Refusal> {
        text.parse()
    }
}

impl From<Site> for String {
    fn from(site: Site) -> String {
        site.to_string()
    }
}

/// A place for a square: two neighbouring sites, in order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SquareSlot {
    pub a: Site,
    pub b: Site,
}

impl SquareSlot {
    /// The slot between two neighbours, in whatever order.
    pub fn between(one: Site, other: Site) -> SquareSlot {
        SquareSlot { a: one.min(other), b: one.max(other) }
    }

    /// The triangle slots T and U; at the rim of the land there may be one only.
    pub fn triangles(self) -> [Option<TriangleSlot>; 2] {
        let mut slots = self.a.neighbours().filter(|site| site.is_beside(self.b));
        let mut both = [slots.next(), slots.next()].map(|site| Some(TriangleSlot::of(self.a, self.b, site?)));
        both.sort_by_key(|slot| slot.is_none());
        if let [Some(t), Some(u)] = both
            && u < t
        {
            both.swap(0, 1);
        }
        both
    }

    pub fn centre(self) -> (f64, f64) {
        let (a, b) = (self.a.centre(), self.b.centre());
        ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)
    }
}

impl fmt::Display for SquareSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.a, self.b)
    }
}

impl TryFrom<String> for SquareSlot {
    type Error = Refusal;

    fn try_from(text: String) -> Result<SquareSlot, Refusal> {
        let refuse = || Refusal::new(format!("“{text}” is no place for a square."));
        let (a, b) = text.split_once('-').ok_or_else(refuse)?;
        let (a, b): (Site, Site) = (a.parse()?, b.parse()?);
        if a.is_beside(b) { Ok(SquareSlot::between(a, b)) } else { Err(refuse()) }
    }
}

impl From<SquareSlot> for String {
    fn from(slot: SquareSlot) -> String {
        slot.to_string()
    }
}

/// A place for a triangle: three sites that are all neighbours of each other, in order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TriangleSlot(pub [Site; 3]);

impl TriangleSlot {
    pub fn of(one: Site, two: Site, three: Site) -> TriangleSlot {
        let mut sites = [one, two, three];
        sites.sort_unstable();
        TriangleSlot(sites)
    }

    /// All triangle slots, in order.
    pub fn all() -> Vec<TriangleSlot> {
        let mut slots = Vec::new();
        for site in Site::all() {
            for next in site.neighbours().filter(|next| *next > site) {
                let thirds = site.neighbours().filter(|third| *third > next && third.is_beside(next));
                slots.extend(thirds.map(|third| TriangleSlot([site, next, third])));
            }
        }
        slots.sort_unstable();
        slots
    }

    /// The square slots of its three sides.
    pub fn squares(self) -> [SquareSlot; 3] {
        let [a, b, c] = self.0;
        [SquareSlot { a, b }, SquareSlot { a, b: c }, SquareSlot { a: b, b: c }]
    }

    pub fn contains(self, site: Site) -> bool {
        self.0.contains(&site)
    }

    pub fn centre(self) -> (f64, f64) {
        let sum = self.0.iter().map(|site| site.centre()).fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
        (sum.0 / 3.0, sum.1 / 3.0)
    }
}

impl fmt::Display for TriangleSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.0;
        write!(f, "{a}-{b}-{c}")
    }
}

impl TryFrom<String> for TriangleSlot {
    type Error = Refusal;

    fn try_from(text: String) -> Result<TriangleSlot, Refusal> {
        let refuse = || Refusal::new(format!("“{text}” is no place for a triangle."));
        let sites: Vec<Site> = text.split('-').map(str::parse).collect::<Result<_, _>>()?;
        let [a, b, c] = sites[..] else { return Err(refuse()) };
        if a.is_beside(b) && b.is_beside(c) && a.is_beside(c) { Ok(TriangleSlot::of(a, b, c)) } else { Err(refuse()) }
    }
}

impl From<TriangleSlot> for String {
    fn from(slot: TriangleSlot) -> String {
        slot.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_sixty_one_sites_in_order_of_name() {
        let names: Vec<String> = Site::all().map(|site| site.to_string()).collect();
        assert_eq!(names.len(), 61);
        assert!(names.is_sorted());
        for name in &names {
            assert_eq!(name.parse::<Site>().unwrap().to_string(), *name);
        }
        for text in ["", "a1", "i9", "e0", "j5", "e55"] {
            assert!(text.parse::<Site>().is_err(), "{text}");
        }
    }

    #[test]
    fn neighbours_come_in_order_of_name() {
        for site in Site::all() {
            let neighbours: Vec<Site> = site.neighbours().collect();
            assert!(neighbours.is_sorted(), "{site}: {neighbours:?}");
            assert!(neighbours.iter().all(|next| next.is_beside(site)));
        }
        assert_eq!(Site::CITADEL.neighbours().count(), 6);
    }

    #[test]
    fn a_square_slot_has_two_triangle_slots_or_one_at_the_rim() {
        let slot = |text: &str| SquareSlot::try_from(text.to_owned()).unwrap();
        let names = |slot: SquareSlot| slot.triangles().map(|slot| slot.map(|slot| slot.to_string()));
        assert_eq!(names(slot("e5-f4")), [Some("e4-e5-f4".into()), Some("e5-f4-f5".into())]);
        assert_eq!(names(slot("a5-a6")), [Some("a5-a6-b5".into()), None]);
        assert_eq!(names(slot("i1-i2")), [Some("h2-i1-i2".into()), None]);
    }
}
