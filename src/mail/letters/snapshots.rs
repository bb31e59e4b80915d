//! Every kind of letter of every game as its reader gets it, kept in `tests/letters`: what changes there is to be read.
//!
//! `WONDERPOST_SNAPSHOTS=write cargo test --lib snapshots` writes them anew. With a folder in `WONDERPOST_LETTERS` the pages are
//! written there with their pictures, to be looked at in a browser.

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::BASE64;
use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::mail::inbox::answer::Answer;
use crate::mail::letters::answer::words_of_answer;
use crate::mail::letters::composer::Words;
use crate::mail::letters::digest::{Digest, words_of_digest};
use crate::mail::letters::kind::Kind;
use crate::mail::letters::story::{Place, Talk};
use crate::mail::letters::words::words_about_table;
use crate::mail::outbox::flowed::flowed;
use crate::mail::preferences::MailPreferences;
use crate::tables::clock::pace::Pace;
use crate::tables::history::course::Course;
use crate::tables::history::recent_events::RecentEvents;
use crate::tables::play::deciding::Deciding;
use crate::tables::play::plans::Answers;
use crate::tables::play::test_table::dealt;
use crate::tables::state::record::{By, Record};
use crate::tables::state::table_state::{Status, TableState};
use crate::tables::{CachedTable, Holder, LoggedMove};
use wonderpost_games::catalogue;
use wonderpost_rules::{AnyMove, CallToAction, Game, Level, Seat, Viewer};

const HOUSE: &str = "https://house.example";
const UNSUBSCRIBE: &str = "https://house.example/unsubscribe/token";
const NAMES: [&str; 3] = ["Alice", "Hatter", "Dinah"];

/// Mail programs cut off what is longer; most letters are far shorter.
const LONGEST_PAGE: usize = 60_000;

/// The most that a letter weighs as it is sent, for each picture in it.
const HEAVIEST: usize = 200_000;

/// A game in the middle of being played, with the same cards every time.
struct Playing {
    cached: CachedTable,
    records: Vec<Record>,
    holders: Vec<Holder>,
    at: DateTime<Utc>,
    rng: SmallRng,
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

impl Playing {
    fn begin(game: &dyn Game) -> Playing {
        let (fewest, most) = game.info().seats;
        // Three where somebody can be called for help.
        let seats = if game.has_calls() { 3 } else { 2 }.clamp(fewest, most);
        let at = DateTime::parse_from_rfc3339("2027-02-01T12:00:00Z").unwrap().with_timezone(&Utc);
        let pace = Pace { seconds_a_move: Some(3 * 86_400), ..Pace::default() };
        let (cached, records) = dealt(game, seats, pace, 7, at);
        let holder = |seat: Seat| Holder { seat, player: None, name: NAMES[seat.index()].to_owned() };
        let holders = Seat::all(seats).map(holder).collect();
        Playing { cached, records, holders, at, rng: SmallRng::seed_from_u64(7) }
    }

    /// Makes a move for the first who is asked, and gives it.
    fn step(&mut self) -> (Seat, String) {
        self.at += TimeDelta::hours(1);
        let position = &self.cached.now.position;
        let seat = position.awaiting().iter().next().expect("somebody is to move");
        let planned = position.bot(Level::Easy, seat, &mut self.rng).into_iter().next();
        let mv: AnyMove = planned.or_else(|| position.default_move(seat)).expect("a move");
        let seed = self.cached.seed.clone().unwrap();
        let mut deciding = Deciding::new(&self.cached, &seed, Answers::default(), self.at);
        deciding.make(seat, &mv, "", By::Holder).unwrap();
        let (now, chain) = (deciding.now, deciding.chain);
        self.records.extend(chain.records);
        self.cached.now = now;
        (seat, mv.to_string())
    }

    fn is_over(&self) -> bool {
        self.cached.now.status() == Status::Over
    }

    /// Plays until something is so, and says whether it ever was.
    fn until(&mut self, is_so: impl Fn(&Playing) -> bool) -> bool {
        while !self.is_over() {
            if is_so(self) {
                return true;
            }
            self.step();
        }
        is_so(self)
    }

    fn place(&self, seat: Seat) -> Place<'_> {
        Place {
            cached: &self.cached,
            holders: &self.holders,
            seat,
            zone: "Europe/Berlin".parse().unwrap(),
            house: HOUSE,
            reply_to: Some("m-reply@in.house.example".to_owned()),
            nickname: None,
            talk_from: None,
            note: None,
            answered_after: None,
            draws: true,
            now: self.at,
        }
    }

    /// Brings what the table remembers of its events up to date, and gives the log of the last moves.
    fn log(&mut self, seat: Seat) -> Vec<LoggedMove> {
        let base = TableState::begin(&catalogue(), &self.records[0]).unwrap();
        let records = self.records[1..].iter().cloned().map(Arc::new).collect();
        self.cached.window = RecentEvents::new(base, records);
        let viewer = Viewer::Seat(seat);
        let numbering = self.cached.now.numbering(viewer);
        let number = self.cached.now.moves_for(viewer);
        self.cached.window.table_at_move(number, viewer, &numbering).unwrap().log
    }

    async fn letter(&mut self, kind: Kind, seat: Seat, note: Option<&str>) -> Words {
        let log = self.log(seat);
        let talk = match kind {
            Kind::Talk => Talk {
                lines: vec!["Alice: Your hair wants cutting.\nI mean it.".to_owned()],
                writers: vec!["Alice".to_owned()],
            },
            _ => Talk::default(),
        };
        let place = Place { note, ..self.place(seat) };
        let brief = place.brief_from(kind, &log, talk).await.unwrap();
        let viewer = Viewer::Seat(seat);
        let course = Course::of(&self.cached.window, &self.cached.now.numbering(viewer), viewer).unwrap();
        let story = place.story_from(brief, self.is_over().then_some(&course)).await;
        words_about_table(HOUSE, story, &MailPreferences::default(), UNSUBSCRIBE).unwrap()
    }

    /// A move of the seat that leaves it to move, and the letter that answers it.
    async fn answered(&mut self, reader: Seat) -> Option<Words> {
        loop {
            let before = self.cached.now.moves_for(Viewer::Seat(reader));
            if self.is_over() {
                return None;
            }
            let (mover, line) = self.step();
            if mover == reader && !self.is_over() && self.place(reader).my_turn() {
                let log = self.log(reader);
                let place = Place { answered_after: Some(before), ..self.place(reader) };
                let brief = place.brief_from(Kind::Answer, &log, Talk::default()).await.unwrap();
                return Some(
                    words_of_answer(&place, brief, &Answer::GoOn, &[line], &MailPreferences::default()).unwrap(),
                );
            }
        }
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/letters")
}

/// Compares a letter with what is kept of it, both forms, and weighs it.
fn check(name: &str, words: &Words, wrong: &mut Vec<String>) {
    assert!(words.html.len() < LONGEST_PAGE, "{name}: a page of {} bytes", words.html.len());
    let pictures: usize = words.pictures.iter().map(|(_, picture)| picture.png.len().div_ceil(3) * 4).sum();
    let weight = words.text.len() + words.html.len() + pictures;
    assert!(weight < HEAVIEST * words.pictures.len().max(1), "{name} weighs {weight}");
    let sent = flowed(&words.text);
    let is_link = |line: &str| line.contains("://");
    assert!(sent.lines().all(|line| line.trim().chars().count() <= 72 || is_link(line)), "{name} is too wide:\n{sent}");
    if let Some(folder) = std::env::var_os("WONDERPOST_LETTERS").map(PathBuf::from) {
        let data = |html: String, (id, picture): &(String, crate::mail::letters::picture::Drawn)| {
            html.replace(&format!("cid:{id}\""), &format!("data:image/png;base64,{}\"", BASE64.encode(&picture.png)))
        };
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.html")), words.pictures.iter().fold(words.html.clone(), data))
            .unwrap();
    }
    let text = format!("Subject: {}\n\n{}\n", words.subject, sent.trim_end());
    for (ending, is) in [("txt", text), ("html", words.html.clone())] {
        let file = folder().join(format!("{name}.{ending}"));
        if std::env::var_os("WONDERPOST_SNAPSHOTS").is_some() {
            std::fs::create_dir_all(folder()).unwrap();
            std::fs::write(&file, &is).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        if kept != is {
            let line = kept.lines().zip(is.lines()).find(|(kept, is)| kept != is);
            wrong.push(format!("{name}.{ending} is another than was kept: {line:?}"));
        }
    }
}

#[tokio::test]
async fn letters_of_every_game_are_as_they_were_when_they_were_last_read() {
    let mut wrong = Vec::new();
    let mut digest = Digest::default();
    for game in catalogue().iter() {
        let slug = game.info().slug;
        let mut playing = Playing::begin(game);
        let others = playing.holders.len() > 1;
        let reader = if others { seat(2) } else { seat(1) };
        check(&format!("{slug}-started"), &playing.letter(Kind::Started, reader, None).await, &mut wrong);
        let answer = playing.answered(reader).await;
        check(&format!("{slug}-answer"), &answer.expect("a turn of several moves"), &mut wrong);
        let moves = playing.cached.now.moves + 12;
        assert!(playing.until(|playing| playing.cached.now.moves >= moves && playing.place(reader).my_turn()));
        let turn = playing.letter(Kind::Turn, reader, Some("Beware of the Queen.\nHe bluffs.")).await;
        check(&format!("{slug}-turn"), &turn, &mut wrong);
        check(&format!("{slug}-time-ran-out"), &playing.letter(Kind::TimeRanOut, reader, None).await, &mut wrong);
        if others {
            check(&format!("{slug}-talk"), &playing.letter(Kind::Talk, reader, None).await, &mut wrong);
        }
        playing.at += TimeDelta::hours(70);
        check(&format!("{slug}-reminder"), &playing.letter(Kind::Reminder, reader, None).await, &mut wrong);
        let log = playing.log(reader);
        digest.add(playing.place(reader).brief_from(Kind::Turn, &log, Talk::default()).await.unwrap());
        if game.has_calls() {
            let is_called = |playing: &Playing| {
                let call = playing.cached.now.position.call_to_action(reader);
                playing.place(reader).my_turn() && matches!(call, CallToAction::Call(_))
            };
            if playing.until(is_called) {
                check(&format!("{slug}-call"), &playing.letter(Kind::Call, reader, None).await, &mut wrong);
            }
        }
        playing.until(Playing::is_over);
        for number in 1..=playing.holders.len() as u8 {
            let name = format!("{slug}-over-{number}");
            check(&name, &playing.letter(Kind::Over, seat(number), None).await, &mut wrong);
        }
    }
    check("digest", &words_of_digest(HOUSE, digest, UNSUBSCRIBE).unwrap(), &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
