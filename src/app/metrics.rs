//! Figures for the host, as Prometheus reads them.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use crate::figures::answer_times::AnswerTimes;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfReading {
    by: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfGame {
    game: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfAnswer {
    route: String,
    status: u16,
}

type Seconds = Family<OfAnswer, Histogram, fn() -> Histogram>;

/// All figures of one process.
pub struct Metrics {
    registry: Registry,
    moves: Family<OfGame, Counter>,
    refusals: Family<OfGame, Counter>,
    overtaken: Counter,
    went_back: Counter,
    standby_reads: Family<OfReading, Counter>,
    folds: Histogram,
    folded_events: Counter,
    answers: Seconds,
    connections: Family<OfConnections, Gauge<f64, AtomicU64>>,
    letters_sent: Family<OfLetter, Counter>,
    letters_failed: Family<OfLetter, Counter>,
    letters_waiting: Gauge,
    letters_dead: Gauge,
    outbox_age: Gauge<f64, AtomicU64>,
    notices_sent: Counter,
    notices_failed: Counter,
    /// For the host's console, until they are in the database.
    pub answer_times: AnswerTimes,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfLetter {
    kind: String,
}

/// How the outbox stands.
pub struct OutboxState {
    /// Letters that are due and not sent.
    pub waiting: i64,
    pub dead: i64,
    /// For how long the oldest waits.
    pub age: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfConnections {
    state: &'static str,
}

fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.0005, 2.0, 14))
}

fn small_seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.00001, 3.0, 12))
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut metrics = Metrics {
            registry: Registry::with_prefix("wonderpost"),
            moves: Family::default(),
            refusals: Family::default(),
            overtaken: Counter::default(),
            went_back: Counter::default(),
            standby_reads: Family::default(),
            folds: small_seconds(),
            folded_events: Counter::default(),
            answers: Family::new_with_constructor(seconds),
            connections: Family::default(),
            letters_sent: Family::default(),
            letters_failed: Family::default(),
            letters_waiting: Gauge::default(),
            letters_dead: Gauge::default(),
            outbox_age: Gauge::default(),
            notices_sent: Counter::default(),
            notices_failed: Counter::default(),
            answer_times: AnswerTimes::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("moves", "Moves recorded", metrics.moves.clone());
        registry.register("refusals", "Moves refused", metrics.refusals.clone());
        registry.register(
            "overtaken",
            "Moves decided again because somebody else moved first",
            metrics.overtaken.clone(),
        );
        registry.register(
            "went_back",
            "Tables read anew because the database did not have the state that was remembered",
            metrics.went_back.clone(),
        );
        registry.register(
            "standby_reads",
            "Reads that the standby was asked for, by who answered",
            metrics.standby_reads.clone(),
        );
        registry.register_with_unit(
            "fold",
            "Time to fold events read from the database",
            Unit::Seconds,
            metrics.folds.clone(),
        );
        registry.register("folded_events", "Events folded from the database", metrics.folded_events.clone());
        registry.register_with_unit("answer", "Time to answer a request", Unit::Seconds, metrics.answers.clone());
        registry.register("database_connections", "Connections in the pool", metrics.connections.clone());
        registry.register("letters_sent", "Letters that went out", metrics.letters_sent.clone());
        registry.register("letters_failed", "Tries to send a letter that failed", metrics.letters_failed.clone());
        registry.register("letters_waiting", "Letters that are due and not sent", metrics.letters_waiting.clone());
        registry.register("letters_dead", "Letters that were given up or refused", metrics.letters_dead.clone());
        registry.register_with_unit(
            "outbox_age",
            "For how long the oldest letter that is due waits",
            Unit::Seconds,
            metrics.outbox_age.clone(),
        );
        registry.register("notices_sent", "Notices that devices were sent", metrics.notices_sent.clone());
        registry.register("notices_failed", "Tries to send a notice that failed", metrics.notices_failed.clone());
        metrics
    }
}

impl Metrics {
    pub fn moved(&self, game: &str, moves: usize) {
        self.moves.get_or_create(&OfGame { game: game.to_owned() }).inc_by(moves as u64);
    }

    pub fn refused(&self, game: &str) {
        self.refusals.get_or_create(&OfGame { game: game.to_owned() }).inc();
    }

    pub fn overtaken(&self) {
        self.overtaken.inc();
    }

    pub fn went_back(&self) {
        self.went_back.inc();
    }

    /// The standby was asked; if it could not answer, the primary was.
    pub fn asked_standby(&self, has_answered: bool) {
        let by = if has_answered { "standby" } else { "primary" };
        self.standby_reads.get_or_create(&OfReading { by }).inc();
    }

    pub fn folded(&self, events: usize, time: Duration) {
        self.folds.observe(time.as_secs_f64());
        self.folded_events.inc_by(events as u64);
    }

    pub fn answered(&self, route: &str, status: u16, time: Duration) {
        self.answers.get_or_create(&OfAnswer { route: route.to_owned(), status }).observe(time.as_secs_f64());
        self.answer_times.add(route, time);
    }

    pub fn letter_sent(&self, kind: &str) {
        self.letters_sent.get_or_create(&OfLetter { kind: kind.to_owned() }).inc();
    }

    pub fn letter_failed(&self, kind: &str) {
        self.letters_failed.get_or_create(&OfLetter { kind: kind.to_owned() }).inc();
    }

    pub fn notice_sent(&self) {
        self.notices_sent.inc();
    }

    pub fn notice_failed(&self) {
        self.notices_failed.inc();
    }

    pub fn outbox(&self, state: &OutboxState) {
        self.letters_waiting.set(state.waiting);
        self.letters_dead.set(state.dead);
        self.outbox_age.set(state.age.as_secs_f64());
    }

    /// All figures as text; the pool's are read now.
    pub fn write(&self, (open, idle): (u32, usize)) -> String {
        self.connections.get_or_create(&OfConnections { state: "open" }).set(f64::from(open));
        self.connections.get_or_create(&OfConnections { state: "idle" }).set(idle as f64);
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            Err(_) => String::new(),
        }
    }
}
