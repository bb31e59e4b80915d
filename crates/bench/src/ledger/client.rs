//! A client as browsers are: it looks at a page, sends one of its forms, and sends the same form again until it knows what became of it.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use super::book::{Book, Outcome, SentMove};
use super::page::Page;
use crate::http::Connection;
use wonderpost::percent::percent_encoded;
use wonderpost::tables::TableId;
use wonderpost_rules::Seat;

/// How long a client waits for an answer before it counts as none.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a client waits before it asks again.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a client goes on asking what became of its last move when the run is over.
const LAST_WORD: Duration = Duration::from_secs(60);

/// What is played: the form that opens a table, and how many seats it has. One client plays all of them.
const GAMES: [(&str, usize); 2] = [("game=we-are-not-amused", 1), ("game=red-queen&seat-2=person", 2)];

/// Moves that cut a game short: left out where there are others.
const SHORT_CUTS: [&str; 3] = ["end", "shuffle", "pass all"];

/// Somebody with a cookie.
#[derive(Clone, Default)]
struct Guest {
    cookie: String,
    /// What forms of this guest carry.
    stamp: String,
}

/// A table and who sits there, in order of seats.
struct Place {
    table: TableId,
    seats: usize,
    /// Who moved last, and is asked first whether it is their turn again.
    last: usize,
}

/// An answer.
struct Reply {
    status: u16,
    body: String,
    location: String,
}

/// A form to move with, and who sends it.
struct Form {
    guest: usize,
    /// The state that it was drawn from, as it says it itself.
    step: String,
    sent: SentMove,
}

pub struct Client {
    /// The services, or the proxy in front of them: the next is asked when one does not answer.
    hosts: Arc<[SocketAddr]>,
    host: usize,
    connection: Option<Connection>,
    guests: [Guest; 2],
    rng: SmallRng,
    number: usize,
    games: usize,
    book: Arc<Book>,
    over: Arc<AtomicBool>,
    /// The time of the last acknowledged move.
    since: Instant,
    /// How long to think before a move.
    pause: Duration,
}

impl Client {
    pub fn new(
        number: usize,
        hosts: Arc<[SocketAddr]>,
        book: Arc<Book>,
        over: Arc<AtomicBool>,
        pause: Duration,
    ) -> Client {
        Client {
            host: number % hosts.len(),
            hosts,
            connection: None,
            guests: Default::default(),
            rng: SmallRng::seed_from_u64(number as u64),
            number,
            games: 0,
            book,
            over,
            since: Instant::now(),
            pause,
        }
    }

    /// Plays one game after the other until the run is over.
    pub fn play(mut self) -> io::Result<()> {
        self.since = Instant::now();
        while !self.over.load(Relaxed) {
            match self.open_table() {
                Some(place) => self.play_game(place)?,
                None => self.wait(),
            }
        }
        Ok(())
    }

    fn wait(&self) {
        thread::sleep(PAUSE);
    }

    fn play_game(&mut self, mut place: Place) -> io::Result<()> {
        while !self.over.load(Relaxed) {
            match self.look(&mut place) {
                Look::ToMove(form) => {
                    thread::sleep(self.pause);
                    if !self.send(&place, form)? {
                        return Ok(());
                    }
                }
                Look::Ended => return Ok(()),
                Look::NoAnswer => self.wait(),
            }
        }
        Ok(())
    }

    /// Opens a table and takes its seats. `None` if an answer was missing; the table is then left alone.
    fn open_table(&mut self) -> Option<Place> {
        let (form, seats) = GAMES[(self.number + self.games) % GAMES.len()];
        self.introduce(0)?;
        let reply = self.post(0, "/tables", form)?;
        let table: TableId = reply.location.strip_prefix("/t/")?.parse().ok()?;
        for guest in 0..seats {
            self.introduce(guest)?;
            // Whoever opens a table for several may sit there already, which is refused and no harm.
            let reply = self.post(guest, &format!("/t/{table}/sit"), "cut=treacle")?;
            (reply.status < 500).then_some(())?;
        }
        self.games += 1;
        Some(Place { table, seats, last: 0 })
    }

    /// Sees to it that a guest has a stamp.
    fn introduce(&mut self, guest: usize) -> Option<()> {
        if self.guests[guest].stamp.is_empty() {
            let reply = self.ask(guest, "/sign-in", None)?;
            Page(&reply.body).stamp()?.clone_into(&mut self.guests[guest].stamp);
        }
        Some(())
    }

    /// Looks whose turn it is, and chooses a move.
    fn look(&mut self, place: &mut Place) -> Look {
        for turn in 0..place.seats {
            let guest = (place.last + turn) % place.seats;
            let path = format!("/t/{}", place.table);
            let Some(mut reply) = self.ask(guest, &path, None) else { return Look::NoAnswer };
            if reply.status >= 500 {
                return Look::NoAnswer;
            }
            if reply.status != 200 {
                return Look::Ended;
            }
            let Some((step, field)) = Page(&reply.body).step() else { continue };
            let field = field.to_owned();
            let begun = Page(&reply.body).begun().choose(&mut self.rng).map(|begun| (*begun).to_owned());
            if Page(&reply.body).moves().is_empty()
                && let Some(begun) = begun
            {
                match self.ask(guest, &format!("{path}?begun={begun}"), None) {
                    Some(finished) if finished.status == 200 => reply = finished,
                    _ => return Look::NoAnswer,
                }
            }
            let page = Page(&reply.body);
            let moves = page.moves();
            let whole: Vec<&String> = moves.iter().filter(|line| !SHORT_CUTS.contains(&line.as_str())).collect();
            let line = whole.choose(&mut self.rng).copied().or_else(|| moves.choose(&mut self.rng));
            let (Some(line), Some(stamp)) = (line, page.stamp()) else { continue };
            stamp.clone_into(&mut self.guests[guest].stamp);
            place.last = guest;
            let seat = u8::try_from(guest + 1).ok().and_then(Seat::new).unwrap_or(Seat::FIRST);
            return Look::ToMove(Form {
                guest,
                step: field,
                sent: SentMove { table: place.table, seat, step, line: line.clone() },
            });
        }
        Look::Ended
    }

    /// Sends a move until it is known what became of it. False if the table is not worth going on with.
    fn send(&mut self, place: &Place, form: Form) -> io::Result<bool> {
        let Form { guest, step, sent } = form;
        let path = format!("/t/{}/say", place.table);
        let fields = format!("step={step}&sure=yes&say={}", percent_encoded(sent.line.as_bytes()));
        let mut over_since = None;
        loop {
            let reply = self.post(guest, &path, &fields);
            match reply.map(|reply| (reply.status, reply.location)) {
                Some((303, location)) if location == format!("/t/{}", place.table) => {
                    self.book.note(sent, Outcome::Acknowledged, self.since)?;
                    self.since = Instant::now();
                    return Ok(true);
                }
                // Not now: the same form again, as somebody does who sees that page.
                None | Some((429 | 500.., _)) => {
                    if self.over.load(Relaxed) && over_since.get_or_insert_with(Instant::now).elapsed() > LAST_WORD {
                        self.book.note(sent, Outcome::Unknown, self.since)?;
                        return Ok(false);
                    }
                    self.wait();
                }
                Some((status, _)) => {
                    self.book.count_refusal();
                    // An earlier try may have been recorded all the same.
                    self.book.note(sent, Outcome::Unknown, self.since)?;
                    if status == 401 || status == 403 {
                        self.guests[guest] = Guest::default();
                    }
                    return Ok(status == 200 || status == 409);
                }
            }
        }
    }

    fn post(&mut self, guest: usize, path: &str, fields: &str) -> Option<Reply> {
        let form = format!("csrf={}&{fields}", self.guests[guest].stamp);
        self.ask(guest, path, Some(&form))
    }

    /// Asks the service; if it does not answer the next time another one is asked.
    fn ask(&mut self, guest: usize, path: &str, form: Option<&str>) -> Option<Reply> {
        let asked = Instant::now();
        let reply = self.exchange(guest, path, form);
        self.book.count(asked.elapsed(), reply.as_ref().ok().map(|reply| reply.status));
        if reply.is_err() {
            self.connection = None;
            self.host = (self.host + 1) % self.hosts.len();
        }
        reply.ok()
    }

    fn exchange(&mut self, guest: usize, path: &str, form: Option<&str>) -> io::Result<Reply> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open_within(self.hosts[self.host], PATIENCE)?,
        };
        connection.plain = true;
        let cookie = self.guests[guest].cookie.clone();
        let (status, body) = match form {
            None => connection.get(path, &cookie)?,
            Some(form) => connection.post(path, &cookie, form)?,
        };
        let body = String::from_utf8_lossy(body).into_owned();
        let location = connection.header("location").next().unwrap_or_default().to_owned();
        let cookies: Vec<&str> = connection.header("set-cookie").filter_map(|text| text.split(';').next()).collect();
        if let Some(last) = cookies.last() {
            // A session takes the place of the cookie of somebody who only looks.
            let session = cookies.iter().find(|cookie| cookie.starts_with(wonderpost::http::COOKIE)).unwrap_or(last);
            self.guests[guest] = Guest { cookie: (*session).to_owned(), stamp: String::new() };
            if let Some(stamp) = Page(&body).stamp() {
                stamp.clone_into(&mut self.guests[guest].stamp);
            }
        }
        if !connection.is_over() {
            self.connection = Some(connection);
        }
        Ok(Reply { status, body, location })
    }
}

/// What a look at a table shows.
enum Look {
    ToMove(Form),
    /// Nobody is to move, or the table is gone.
    Ended,
    NoAnswer,
}
