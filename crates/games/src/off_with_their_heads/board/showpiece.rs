//! The Woods of a sheet, as large as they fit.

use askama::Template;

use super::super::OffWithTheirHeads;
use super::super::space::Zone;
use super::last_marks;
use super::picture::{Picture as ZonePicture, pictures};
use super::postcard::DRAWINGS;
use crate::drawing;
use wonderpost_rules::{Picture, Seat, View};

#[derive(Template)]
#[template(path = "off-with-their-heads/showpiece.html")]
struct Showpiece {
    picture: ZonePicture,
}

pub fn showpiece(view: &View<OffWithTheirHeads>) -> Picture {
    let shown = view.winners.first().copied().unwrap_or(Seat::FIRST);
    let sheet = &view.table.players[shown.index()].sheet.0;
    let woods = pictures(sheet, &last_marks(view, shown), None).into_iter().find(|zone| zone.zone == Zone::Woods);
    let body = woods.map(|picture| Showpiece { picture }.render().unwrap_or_default()).unwrap_or_default();
    let alt = format!("The Woods on the sheet of {}.", shown.mark());
    drawing::picture(&DRAWINGS, drawing::SHOWPIECE, &body, alt)
}
