//! How long the picture of a letter takes, and how large it is.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use rand::SeedableRng;
use rand::rngs::SmallRng;

use wonderpost::mail::letters::picture::{draw, name_in_drawing};
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Decided, Game, Level, Seat, Viewer};

/// Names as long and as short as players have.
const NAMES: [&str; 8] = ["Alice", "The Mad Hatter", "Zoë", "Humpty & Dumpty", "Жар-птица", "Dinah", "Lory", "Bill"];

#[derive(Args)]
pub struct Settings {
    /// How many pictures of each game, spread over games among bots.
    #[arg(long, default_value_t = 40)]
    pictures: usize,
    /// Keep the pictures in this folder, to look at.
    #[arg(long)]
    folder: Option<PathBuf>,
}

pub fn run(settings: &Settings) -> anyhow::Result<()> {
    if let Some(folder) = &settings.folder {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    for game in wonderpost_games::catalogue().iter() {
        bench(game, settings)?;
    }
    Ok(())
}

fn bench(game: &dyn Game, settings: &Settings) -> anyhow::Result<()> {
    let info = game.info();
    let (fewest, most) = info.seats;
    let (mut times, mut sizes) = (Vec::new(), Vec::new());
    for number in 0.. {
        let seats = fewest + (number % u64::from(most - fewest + 1)) as u8;
        let mut rng = SmallRng::seed_from_u64(number);
        let seed = Seed::of_number(number);
        let Decided { mut position, draws, .. } =
            game.begin(&game.default_options(), seats)?.set_up(&mut seed.chance(0))?;
        let mut drawn = draws.len() as u64;
        for moves in 0.. {
            let awaited = position.awaiting().iter().next();
            if moves % 29 == number as usize % 29 || awaited.is_none() {
                let seat = awaited.unwrap_or(Seat::FIRST);
                let name = |seat: Seat| NAMES[seat.index()].to_owned();
                let begun = Instant::now();
                let picture = position.picture(Viewer::Seat(seat));
                let picture = picture.fill_marks(|seat| name_in_drawing(seat, &name(seat)), name);
                let picture = draw(&picture)?;
                times.push(begun.elapsed());
                sizes.push(picture.png.len());
                if let Some(folder) = &settings.folder {
                    keep(folder, &format!("{}-{:03}", info.slug, times.len()), &picture.png, &picture.alt)?;
                }
            }
            let (Some(seat), true) = (awaited, times.len() < settings.pictures) else { break };
            let moves = position.bot(Level::Easy, seat, &mut rng);
            let mv = moves.first().context("a bot has nothing to say")?;
            let decided = position.decide_move(seat, mv, &mut seed.chance(drawn))?;
            drawn += decided.draws.len() as u64;
            position = decided.position;
        }
        if times.len() >= settings.pictures {
            break;
        }
    }
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / u32::try_from(times.len().max(1)).unwrap_or(u32::MAX);
    println!(
        "{}: {} pictures, {:.1} ms each, {:.1} ms at most; {} kB each, {} kB at most",
        info.title,
        times.len(),
        mean.as_secs_f64() * 1e3,
        times.last().copied().unwrap_or_default().as_secs_f64() * 1e3,
        sizes.iter().sum::<usize>() / sizes.len().max(1) / 1000,
        sizes.iter().max().copied().unwrap_or_default() / 1000,
    );
    Ok(())
}

fn keep(folder: &Path, name: &str, png: &[u8], alt: &str) -> anyhow::Result<()> {
    let path = folder.join(name);
    std::fs::write(path.with_extension("png"), png).with_context(|| format!("{} cannot be written", path.display()))?;
    std::fs::write(path.with_extension("txt"), alt).with_context(|| format!("{} cannot be written", path.display()))
}
