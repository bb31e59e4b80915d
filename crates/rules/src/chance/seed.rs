//! Chance that players can check: promised before the start, cut by the players, derived draw by draw.
//!
//! Byte by byte, so that anybody can write it again (numbers are big-endian, texts UTF-8):
//!
//! ```text
//! promise = SHA-256(secret)                                     secret: 32 random bytes
//! seed    = HMAC-SHA-256(key: secret, "wonderpost seed 1\n" + deal + "\n" + one line "seat word\n" a cut, by seat)
//! block i of draw n = HMAC-SHA-256(key: seed, "draw" + n as 8 bytes + i as 8 bytes)     n, i from 0
//! ```
//!
//! The blocks of a draw, one after the other, are read as 8-byte numbers. A number below `k` is the next of them
//! that is below the largest multiple of `k` that fits in 2^64, modulo `k`; others are thrown away, so that
//! no number is likelier than another. A shuffle goes through the pile from its last place to its second and swaps what lies
//! at place `p` (from 0) with what lies at a number below `p + 1`. A die shows a number below its sides, plus 1. A pick takes the
//! item at a number below their count. `deal` names what is dealt: the table's id, or the day of a garden of the day.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::{Chance, Draw, Labels, Refusal, Seat};

use crate::hmac::{Mac, hmac_sha256};

/// The secret that a table's chance comes from. It never shows itself in a log line.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// A secret of these bytes.
    pub const fn new(bytes: [u8; 32]) -> Secret {
        Secret(bytes)
    }

    /// A secret of these bytes, if they are as many as it takes.
    pub fn from_slice(bytes: &[u8]) -> Option<Secret> {
        bytes.try_into().ok().map(Secret)
    }

    /// What is revealed when the game is over.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest that is published before anybody sits down.
    pub fn promise(&self) -> Promise {
        Promise(Sha256::digest(self.0).into())
    }

    /// The seed of what is dealt under this name after these cuts.
    pub fn seed(&self, deal: &str, cuts: &[Cut]) -> Seed {
        let mut mac = hmac_sha256(&self.0);
        mac.update(b"wonderpost seed 1\n");
        mac.update(deal.as_bytes());
        mac.update(b"\n");
        for cut in cuts {
            mac.update(format!("{} {}\n", cut.seat, cut.word).as_bytes());
        }
        Seed(mac.finalize().into_bytes().into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What the house says of its secret beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise(pub [u8; 32]);

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

/// A player's own word in the shuffle, public to all.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Cut {
    /// Who cut the deck.
    pub seat: Seat,
    /// The word that they chose.
    pub word: String,
}

/// What all draws of a table are derived from.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(…)")
    }
}

impl Seed {
    /// A seed for play that nobody needs to check: simulations, benchmarks, tests.
    pub fn of_number(number: u64) -> Seed {
        let mut mac = hmac_sha256(b"wonderpost simulation");
        mac.update(&number.to_be_bytes());
        Seed(mac.finalize().into_bytes().into())
    }

    /// Chance from the draw with this number on.
    pub fn chance(&self, next_draw: u64) -> Seeded {
        Seeded { seed: self.clone(), next_draw }
    }

    /// Whether the draw with this number gives what was recorded.
    pub fn gives(&self, number: u64, draw: &Draw) -> bool {
        let mut chance = self.chance(number);
        match draw {
            Draw::Shuffle { of, gave } => chance.shuffle(&of.as_slice()).is_ok_and(|order| {
                order.len() == gave.len() && order.iter().zip(gave).all(|(index, name)| of[*index] == *name)
            }),
            Draw::Roll { sides, gave } => {
                *sides > 0 && chance.roll(gave.len(), *sides).is_ok_and(|faces| faces == *gave)
            }
            Draw::Pick { of, gave } => {
                !of.is_empty() && chance.pick(&of.as_slice()).is_ok_and(|index| of[index] == *gave)
            }
        }
    }
}

/// Chance derived from a seed, one numbered draw after the other.
#[derive(Clone, Debug)]
pub struct Seeded {
    seed: Seed,
    next_draw: u64,
}

impl Seeded {
    fn stream(&mut self) -> Stream<'_> {
        let draw = self.next_draw;
        self.next_draw += 1;
        Stream { seed: &self.seed, draw, block: 0, numbers: [0; 4], left: 0 }
    }
}

impl Chance for Seeded {
    fn shuffle(&mut self, items: &dyn Labels) -> Result<Vec<usize>, Refusal> {
        let mut order: Vec<usize> = (0..items.len()).collect();
        let mut stream = self.stream();
        for place in (1..order.len()).rev() {
            order.swap(place, stream.below(place as u64 + 1) as usize);
        }
        Ok(order)
    }

    fn roll(&mut self, dice: usize, sides: u32) -> Result<Vec<u32>, Refusal> {
        let mut stream = self.stream();
        Ok((0..dice).map(|_| stream.below(u64::from(sides)) as u32 + 1).collect())
    }

    fn pick(&mut self, items: &dyn Labels) -> Result<usize, Refusal> {
        Ok(self.stream().below(items.len() as u64) as usize)
    }
}

/// The numbers of one draw.
struct Stream<'a> {
    seed: &'a Seed,
    draw: u64,
    block: u64,
    numbers: [u64; 4],
    left: usize,
}

impl Stream<'_> {
    fn next(&mut self) -> u64 {
        if self.left == 0 {
            let mut mac = hmac_sha256(&self.seed.0);
            mac.update(b"draw");
            mac.update(&self.draw.to_be_bytes());
            mac.update(&self.block.to_be_bytes());
            let block: [u8; 32] = mac.finalize().into_bytes().into();
            for (number, bytes) in self.numbers.iter_mut().zip(block.chunks_exact(8)) {
                *number = bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
            }
            self.block += 1;
            self.left = 4;
        }
        self.left -= 1;
        self.numbers[3 - self.left]
    }

    /// A number from 0 to `bound` - 1, each as likely as the others.
    fn below(&mut self, bound: u64) -> u64 {
        // 2^64 modulo the bound is how many numbers at the top would favour the small ones.
        let uneven = (u64::MAX % bound + 1) % bound;
        loop {
            let number = self.next();
            if number <= u64::MAX - uneven {
                return number % bound;
            }
        }
    }
}
