//! What refusals, the log and the text say.

use super::*;

#[test]
fn a_refusal_says_why() {
    let soldier = table(GARDEN, "AASGGG", 3, "", "play");
    for (line, sentence) in [
        ("attack b3", "The Soldier at b3 has no free short edge."),
        ("attack c2", "There is nothing at c2."),
        ("attack d4", "A Soldier attacks only Soldiers and Gardeners, and at d4 is the Queen."),
        ("attack c3", "A Soldier attacks only Soldiers and Gardeners, and at c3 is a white rose."),
        ("attack c7", "More than one Cheshire Cat stands beside c7: name the one to go as well, c6 or b7 or d7."),
        ("attack c7 c1", "There is no Cheshire Cat at c1 beside c7."),
        ("attack a1 b1", "There is no choice to make: say “attack a1” alone."),
        ("paint c3", "That takes a Gardener, and the card turned over is a Soldier."),
        ("swap", "That takes a Cat, and the card turned over is a Soldier."),
        ("plant c2", "Only a Bramble is planted, and the card turned over is a Soldier."),
        ("shuffle", "No shuffle is left."),
        ("attack z9", "“z9” is no cell: the garden goes from a1 to g7."),
        ("attack", "“attack” takes a cell, or two, as in “attack c3” or “attack c3 b3”."),
    ] {
        assert_eq!(refusal(&*soldier, line), sentence);
    }
    let cat = table(GARDEN, "AACGGG", 3, "", "play");
    assert_eq!(refusal(&*cat, "swap"), "The discard pile is empty: there is nothing to swap the Cat for.");
    let cat = table(GARDEN, "AACGGG", 3, "SC", "play");
    assert_eq!(refusal(&*cat, "swap"), "A Cat lies on top of the discard pile already.");
    let bramble = table(GARDEN, "AAB", 3, "", "plant");
    assert_eq!(refusal(&*bramble, "plant a2"), "There is a white rose at a2: a Bramble needs a gap.");
    assert_eq!(refusal(&*bramble, "plant d4"), "The Queen sits at d4.");
    assert_eq!(refusal(&*bramble, "pass"), "A Bramble is turned over: it has to be planted before anything else.");
    let stuck = table(GARDEN, "AAB", 3, "", "stuck");
    assert_eq!(
        refusal(&*stuck, "pass"),
        "The deck has come round with nothing to play: you can shuffle, or end the game."
    );
}

/// The log of one move.
fn told(mut position: Box<dyn Position>, line: &str) -> Vec<String> {
    let decided = position.decide_line(PLAYER, line, &mut Seed::of_number(0).chance(0)).unwrap();
    let mut lines = Vec::new();
    for fact in &decided.facts {
        let body: &RawValue = serde_json::from_str(&fact.body).unwrap();
        lines.extend(position.describe_event(body, Viewer::Public).unwrap());
        position.fold(body).unwrap();
    }
    lines
}

#[test]
fn the_log_tells_what_happened() {
    let soldier = || table(GARDEN, "AASGGG", 3, "", "play");
    assert_eq!(told(soldier(), "attack g1")[0], "A Soldier drives off the Queen's Soldier at g1.");
    assert_eq!(
        told(soldier(), "attack c7 b7")[0],
        "A Soldier attacks the Queen's Gardener at c7; the Cheshire Cat at b7 vanishes in its stead."
    );
    assert_eq!(
        told(soldier(), "pass"),
        ["The Soldier is left in the deck.", "Turned over Gardener, Gardener and Gardener: a Gardener."]
    );
    let gardener = || table(GARDEN, "AAGAAA", 3, "", "play");
    assert_eq!(
        told(gardener(), "paint a2"),
        [
            "The Gardener goes for the rose at a2; the Queen's Gardener at a3 is sent away.",
            "Turned over Alice, Alice and Alice: an Alice."
        ]
    );
    assert_eq!(told(gardener(), "pass all")[0], "The rest of the deck is let pass.");
    let cat = || table(GARDEN, "SSCBBB", 3, "A", "play");
    assert_eq!(told(cat(), "vanish e1")[0], "The Cheshire Cat at e1 vanishes, grin and all.");
    assert_eq!(
        told(cat(), "swap")[..2],
        [
            "The Cat slips into the discard pile and brings back the Alice.",
            "Turned over Bramble, Bramble and Bramble: a Bramble."
        ]
    );
    assert_eq!(told(table(GARDEN, "SSA", 3, "", "play"), "collect e7")[0], "Alice picks the red rose at e7.");
    assert_eq!(told(soldier(), "end"), ["The game is over: 0 roses. Off with your head!"]);
}

#[test]
fn the_log_tells_what_followed_by_itself() {
    let lonely = "B S . . . . . ....... ....... ...Q... ....... ....... .......";
    assert_eq!(
        told(table(lonely, "SSSBB", 3, "", "play"), "attack b1")[0],
        "A Soldier drives off the Queen's Soldier at b1. Cut off from everything, the bramble at a1 withers."
    );
    let barred = "WWW.WWW WWWSWWW WWW.WWW WWWQWWW WWWWWWW WWWWWWW WWWWWWW";
    let basket = table(barred, "SSSBB", 3, "", "play").snapshot().replace("\"collected\":0", "\"collected\":2");
    assert_eq!(
        told(game().restore(&basket).unwrap(), "attack d2")[0],
        "A Soldier drives off the Queen's Soldier at d2. The way to the Queen is clear. \
         2 red roses laid before the Queen: 2 so far."
    );
    assert_eq!(
        told(table(&barred.replace('S', "."), "AAB", 3, "", "plant"), "plant d2"),
        [
            "Brambles grow at d2. The way to the Queen is closed.",
            "The deck is turned over: cycle 2.",
            "Turned over Alice and Alice: nothing to be done with the Alice.",
            "The deck has come round with nothing to play. The game is over: 0 roses. Off with your head!"
        ]
    );
    let closing = "WWW.WWW WWW.WWW WWW.WWW WWBQBWW WWWBWWW WWWWWWW WWWWWWW";
    assert_eq!(
        told(table(closing, "AAB", 3, "", "plant"), "plant d3"),
        [
            "Brambles grow at d3. The way to the Queen is closed.",
            "Brambles close around the Queen. Off with your head! The game is over: 0 roses."
        ]
    );
    let gap = table(GARDEN, "AASGGB", 3, "", "play");
    assert_eq!(
        told(gap, "pass")[..4],
        [
            "The Soldier is left in the deck.",
            "Turned over Gardener, Gardener and Bramble: a Bramble.",
            "Brambles fill the only gap, at c2.",
            "The deck is turned over: cycle 2."
        ]
    );
    let full = table(&GARDEN.replace('.', "C"), "AASGGB", 3, "", "play");
    assert_eq!(
        told(full, "pass")[..3],
        [
            "The Soldier is left in the deck.",
            "Turned over Gardener, Gardener and Bramble. A Bramble finds no gap and stays in the deck.",
            "The deck is turned over: cycle 2. Nothing was played this time round. Once more, and you are stuck."
        ]
    );
}

#[test]
fn the_text_shows_the_garden_and_the_facts_around_it() {
    let position = table(GARDEN, "AASGGGA", 3, "SC", "play");
    assert_eq!(
        position.text(Viewer::Seat(PLAYER)),
        "   a b c d e f g
1  S W G W C W S
2  W B . B C B W
3  G S W G W S G
4  C B S Q S B C
5  G S W G W S G
6  W B C B R B C
7  S C G C R W G

Q Queen  W white rose  R red rose  B bramble  S Soldier  G Gardener  C Cat  . gap

Turned over: a Soldier.
Roses: 0 collected, 0 of 12 delivered. The way to the Queen is closed.
Discard pile: 2 cards, a Cat on top.
Deck: 4 cards ahead.
Cycle 1, turn 1, no shuffle left.
"
    );
    let known = position.snapshot().replace("\"known\":3", "\"known\":7");
    let text = game().restore(&known).unwrap().text(Viewer::Public);
    assert!(text.contains("Deck: 4 cards ahead; each turn's last: Gardener, Alice.\n"), "{text}");
}
