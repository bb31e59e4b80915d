//! One's own sheet, those of the others, and what the row of seats says of each.

use super::super::OffWithTheirHeads;
use super::super::layout::layout;
use super::super::sheet::Sheet;
use super::super::space::Zone;
use super::super::view::Made;
use super::choice::Choices;
use super::last_marks;
use super::party::{Invited, Tag, tea_party, teacups};
use super::picture::{self, Picture};
use wonderpost_rules::{Seat, View};

/// A player's own sheet and what stands beside it.
pub struct Own {
    /// The zone in question first, then others that can be painted.
    pub pictures: Vec<Picture>,
    pub teacups: Vec<Tag>,
    pub available: u8,
    pub guests: Vec<Invited>,
    pub ladder: Vec<Rung>,
}

/// Points of the tea party for so many guests.
pub struct Rung {
    pub guests: usize,
    pub vp: u8,
    pub here: bool,
}

/// Somebody else's sheet.
pub struct Other {
    pub seat: Seat,
    pub vp: i64,
    pub words: String,
    pub guests: Vec<Invited>,
    pub pictures: [Picture; 3],
}

impl Own {
    pub fn new(sheet: &Sheet, made: &[Made], choices: &Choices, first: Option<Zone>) -> Own {
        let mut pictures = picture::pictures(sheet, made, Some(choices)).to_vec();
        pictures.sort_by_key(|picture| (Some(picture.zone) != first, picture.lit.is_empty()));
        let guests = sheet.guests().len();
        Own {
            pictures,
            teacups: teacups(sheet),
            available: sheet.available(),
            guests: tea_party(sheet),
            ladder: layout()
                .tea_party_vp
                .iter()
                .enumerate()
                .map(|(number, vp)| Rung { guests: number, vp: *vp, here: number == guests })
                .collect(),
        }
    }
}

impl Other {
    /// All sheets but the viewer's.
    pub fn all(view: &View<OffWithTheirHeads>) -> Vec<Other> {
        let own = view.mine.as_ref().map(|mine| mine.seat);
        let others = view.table.players.iter().filter(|player| Some(player.seat) != own);
        let other = others.map(|player| {
            let sheet = &player.sheet.0;
            Other {
                seat: player.seat,
                vp: view.scores.get(player.seat.index()).copied().flatten().unwrap_or_default(),
                words: chip(sheet),
                guests: tea_party(sheet).into_iter().filter(|invited| invited.here).collect(),
                pictures: picture::pictures(sheet, &last_marks(view, player.seat), None),
            }
        });
        other.collect()
    }
}

/// “2 teacups · 3 guests”.
pub fn chip(sheet: &Sheet) -> String {
    let count = |number: usize, one: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        number => Some(format!("{number} {one}s")),
    };
    let words = [count(sheet.available().into(), "teacup"), count(sheet.guests().len(), "guest")];
    words.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
