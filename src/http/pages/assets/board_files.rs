//! What belongs to a game: the drawings that its boards refer to, the stylesheet that they need, and a picture of it.

use std::sync::LazyLock;

use super::{Asset, CSS, SVG, UsedBy, address, asset, styles, url};
use wonderpost_games::SymbolFile;
use wonderpost_rules::{Game, Seat, Viewer};

struct BoardFiles {
    slug: &'static str,
    symbols: &'static SymbolFile,
    symbols_url: String,
    style_url: &'static str,
}

static SYMBOLS: LazyLock<Vec<(&str, SymbolFile)>> = LazyLock::new(|| {
    let games = wonderpost_games::catalogue();
    games.iter().map(|game| (game.info().slug, SymbolFile::of(game))).collect()
});

/// The files of all games' boards, for pages to refer to.
static BOARDS: LazyLock<Vec<BoardFiles>> = LazyLock::new(|| {
    let files = |(slug, symbols): &'static (&'static str, SymbolFile)| {
        let symbols_url = address(SYMBOLS_NAME, symbols.svg.as_bytes());
        BoardFiles { slug, symbols, symbols_url, style_url: url(&style_name(slug)) }
    };
    SYMBOLS.iter().map(files).collect()
});

/// Every board has it in its page dozens of times: a short one makes pages smaller. The digest in the address tells games apart.
const SYMBOLS_NAME: &str = "art.svg";

fn style_name(slug: &str) -> String {
    format!("{slug}.css")
}

fn picture_name(slug: &str) -> String {
    format!("{slug}-picture.svg")
}

/// The assets of all games.
pub fn all() -> Vec<Asset> {
    let symbols = SYMBOLS.iter().map(|(_, file)| of_game(SYMBOLS_NAME.to_owned(), SVG, file.svg.as_bytes()));
    let games = wonderpost_games::catalogue();
    symbols.chain(games.iter().map(style)).chain(games.iter().filter_map(picture)).collect()
}

fn of_game(name: String, content_type: &'static str, bytes: &'static [u8]) -> Asset {
    Asset { used_by: UsedBy::Game, ..asset(name.leak(), content_type, bytes) }
}

fn style(game: &dyn Game) -> Asset {
    of_game(style_name(game.info().slug), CSS, styles::of_boards(game))
}

/// What a game looks like: a fine moment of it, drawn by its board.
fn picture(game: &dyn Game) -> Option<Asset> {
    let example = game.example().inspect_err(|refusal| tracing::error!(%refusal, "a game has no picture")).ok()?;
    let name = |seat: Seat| format!("Seat {seat}");
    let picture = example.showpiece(Viewer::Public).fill_marks(name, name);
    Some(of_game(picture_name(game.info().slug), SVG, picture.svg.into_bytes().leak()))
}

fn files_of(slug: &str) -> Option<&'static BoardFiles> {
    BOARDS.iter().find(|files| files.slug == slug)
}

/// The address of the stylesheet that boards of a game need besides.
pub fn style_of_game(slug: &str) -> &'static str {
    files_of(slug).map_or("", |files| files.style_url)
}

/// The address of a game's picture.
pub fn picture_of(slug: &str) -> &'static str {
    url(&picture_name(slug))
}

/// Lets what a game's board refers to be found in the file with its drawings.
pub fn with_symbols(slug: &str, html: &str) -> String {
    match files_of(slug) {
        Some(files) => files.symbols.refer(html, &files.symbols_url),
        None => html.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_picture_that_is_soon_loaded() {
        let assets = all();
        for game in wonderpost_games::catalogue().iter() {
            let name = picture_name(game.info().slug);
            let asset = assets.iter().find(|asset| asset.name == name).expect(&name);
            assert!(asset.bytes.len() < 50_000, "{name}: {} bytes", asset.bytes.len());
        }
    }

    #[test]
    fn boards_find_their_drawings_and_their_stylesheet() {
        for game in wonderpost_games::catalogue().iter() {
            let files = files_of(game.info().slug).unwrap_or_else(|| panic!("{}", game.info().slug));
            assert!(files.symbols_url.starts_with("/static/") && files.style_url.starts_with("/static/"));
        }
        let html = with_symbols("red-queen", "<use href=\"#card-backside\"/>");
        assert!(html.contains("/art.svg#card-backside"), "{html}");
    }
}
