//! Games between two people in two real windows: what one does, the other sees when it is due and not before.

use rand::SeedableRng;
use rand::rngs::SmallRng;
use wonderpost_rules::{Level, Seat};

use crate::harness::rehearsal::Rehearsal;
use crate::harness::windows::{ONE, TWO, Window, two_windows};

/// The cards of a bout, once they are shown.
const SHOWN: &str = ".heads-bar .heads-ranking li";

/// Paints on the sheet by clicking until nothing is left to paint. Says how many marks were made.
async fn paint(window: &Window) -> usize {
    let mut marks = 0;
    while window.browser.count(".heads-target").await > 0 {
        if window.browser.count("button.heads-target").await > 0 {
            window.click("button.heads-target").await;
        } else {
            window.browser.click("a.heads-target").await;
            window.click(".heads-numbers button").await;
        }
        marks += 1;
    }
    marks
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bout_of_heads_is_chosen_revealed_and_painted_in_two_windows() {
    two_windows(
        "off-with-their-heads",
        |_| Some(()),
        |_, one, two, ()| async move {
            let (first, second) = (one.name().await, two.name().await);
            let card = one.browser.find("button.heads-card").await.attr("value").await.expect("it").expect("a move");
            one.click("button.heads-card").await;
            two.look().await;
            assert_eq!(two.browser.count(SHOWN).await, 0);
            assert!(!two.source().await.contains(&format!("{card}\"")), "the other's choice is nowhere on the page");
            two.click("button.heads-card").await;
            assert_eq!(two.browser.count(SHOWN).await, 4, "both have chosen: the cards are shown");
            one.look().await;
            assert_eq!(one.browser.count(SHOWN).await, 4);
            assert!(paint(&one).await > 0);
            assert!(one.text().await.contains("You paint"), "{}", one.text().await);
            // The other still paints, and knows nothing of it.
            two.look().await;
            assert!(!two.source().await.contains(&format!("{first} paints")));
            assert!(paint(&two).await > 0);
            assert!(two.source().await.contains(&format!("{first} paints")), "{}", two.text().await);
            one.look().await;
            assert!(one.source().await.contains(&format!("{second} paints")), "{}", one.text().await);
            assert!(one.browser.count("button.heads-card").await > 0, "the next bout is chosen");
        },
    )
    .await;
}

/// Easy bots play until a move leads into a fight in which help can be asked for, and the one asked then has a say.
fn call_for_help(mut rehearsal: Rehearsal) -> Option<(Vec<(Seat, String)>, String)> {
    let mut rng = SmallRng::seed_from_u64(1);
    for _ in 0..14 {
        let seat = rehearsal.position.awaiting().iter().next()?;
        let before = rehearsal.said.clone();
        for line in rehearsal.position.legal_moves(seat).into_iter().filter(|line| line.starts_with("go ")) {
            let mut fight = rehearsal.copy();
            fight.say(seat, &line);
            if seat == ONE && fight.say_like(ONE, "ask 2").is_some() {
                return Some((before, line));
            }
        }
        let line = rehearsal.position.bot(Level::Easy, seat, &mut rng).into_iter().next()?;
        rehearsal.say(seat, line.as_str());
    }
    None
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fight_in_wonderland_is_joined_from_another_window() {
    two_windows("munchkin-wonderland", call_for_help, |tables, one, two, (before, go)| async move {
        for (seat, line) in before {
            let window = if seat == ONE { &one } else { &two };
            window.say(&tables, &line).await;
        }
        one.look().await;
        let (first, second) = (one.name().await, two.name().await);
        one.click(&format!(".mw-target[value='{go}']")).await;
        let fight = one.browser.read("#board").await;
        assert!(fight.contains("short") && fight.contains(&format!("Ask {second} for help")), "{fight}");
        one.click_move("ask 2").await;
        assert_eq!(one.browser.count(".mw-controls button[name=say]").await, 0, "an answer is waited for");
        // The call reaches the other window.
        two.look().await;
        assert!(two.text().await.contains("Your move"));
        assert!(two.text().await.contains(&format!("{first} calls you for help")));
        assert_eq!(two.browser.count("#board button[value='refuse']").await, 1);
        two.click_move("help").await;
        one.look().await;
        assert!(one.text().await.contains(&format!("{second} comes to help you")), "{}", one.text().await);
        assert!(two.text().await.contains(&format!("You come to help {first}")), "{}", two.text().await);
    })
    .await;
}

struct Contest {
    before: Vec<(Seat, String)>,
    /// The paid way to a palace, and the palace.
    paid: String,
    palace: String,
    contest: String,
    /// What is said until the other's journey, and the journey.
    after: Vec<(Seat, String)>,
    journey: String,
}

/// Says what is neither here nor there until a seat's journey.
fn until_journey(rehearsal: &mut Rehearsal, seat: Seat) -> Option<()> {
    for _ in 0..4 {
        if rehearsal.position.legal_moves(seat).iter().any(|line| line == "stay") {
            return Some(());
        }
        rehearsal.say_like(seat, "pass").or_else(|| rehearsal.say_like(seat, "roll"))?;
    }
    None
}

/// The first journey can be a paid one to a palace, where the other contests and the visitor has no proof.
fn contest(mut rehearsal: Rehearsal) -> Option<Contest> {
    until_journey(&mut rehearsal, ONE)?;
    let before = rehearsal.said.clone();
    let moves = rehearsal.position.legal_moves(ONE);
    let is_palace = |line: &&String| line.split(' ').nth(1).is_some_and(|place| place.starts_with('Q'));
    // Where no road leads, and with two cards, so that there is something to tick.
    let of_two = |line: &&String| line.split_once(" paying ").is_some_and(|(_, cards)| cards.contains(' '));
    let beyond = moves.iter().filter(|line| !line.starts_with("tavern"));
    let paid = beyond.filter(of_two).find(is_palace)?.clone();
    let palace = paid.split(' ').nth(1)?.to_owned();
    rehearsal.say(ONE, &paid);
    let contest = rehearsal.say_like(TWO, "contest showing")?;
    let said = rehearsal.said.len();
    // Without a proof the visitor is off the board, and it is the other's turn.
    until_journey(&mut rehearsal, TWO)?;
    let after = rehearsal.said[said..].to_vec();
    let journeys = rehearsal.position.legal_moves(TWO);
    let journey = journeys.into_iter().find(|line| line.starts_with("go ") && line.len() == "go QH".len())?;
    Some(Contest { before, paid, palace, contest, after, journey })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rabbits_pay_contest_and_hop_on_the_map_in_two_windows() {
    two_windows("messenger-rabbits", contest, |tables, one, two, plan| async move {
        for (_, line) in &plan.before {
            one.say(&tables, line).await;
        }
        one.look().await;
        let (first, second) = (one.name().await, two.name().await);
        // A place that must be paid for opens its payments.
        one.browser.click(&format!("a.on-map[href^='?begun=to%20{}#']", plan.palace)).await;
        let offered = one.browser.count(&format!("#choices button[value='{}']", plan.paid)).await;
        assert_eq!(offered, 1, "{}", one.text().await);
        let (way, cards) = plan.paid.split_once(" paying ").expect("a payment");
        one.press(".rabbits-ticks summary").await;
        for card in cards.split(' ') {
            one.press(&format!(".ticks input[value='{card}']")).await;
        }
        one.click(&format!(".rabbits-ticks button[value='{way} paying']")).await;
        two.look().await;
        assert_eq!(two.browser.count("#board button[value='pass']").await, 1, "{}", two.text().await);
        two.click_move(&plan.contest).await;
        assert!(two.text().await.contains("You contest"), "{}", two.text().await);
        one.look().await;
        assert!(one.text().await.contains(&format!("{second} contests")), "{}", one.text().await);
        assert!(two.text().await.contains(&format!("{first} cannot prove")), "{}", two.text().await);
        for (_, line) in &plan.after {
            two.say(&tables, line).await;
        }
        // A free road is one click on the map.
        two.look().await;
        two.click(&format!("button.on-map[value='{}']", plan.journey)).await;
        one.look().await;
        assert!(one.text().await.contains(&format!("{second} hops to")), "{}", one.text().await);
    })
    .await;
}
