use super::super::options::Options;
use super::*;
use wonderpost_rules::seed::Seed;
use wonderpost_rules::{Rules, Seat, Viewer, deal, decide_line};

#[test]
fn a_bot_does_the_same_whatever_it_cannot_know() {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    let mut rng = SmallRng::seed_from_u64(4);
    let mut chance = Seed::of_number(4).chance(0);
    let mut state = deal::<MunchkinWonderland>(Options::default(), 3, &mut chance).unwrap().state;
    while let Some(seat) = state.awaiting().iter().next() {
        for level in Level::ALL {
            let says = |state: &MunchkinWonderland| {
                bot(level, &View::new(state, Viewer::Seat(seat)), &mut SmallRng::seed_from_u64(7))
            };
            assert_eq!(says(&state), says(&state.resample_hidden(Viewer::Seat(seat), &mut rng)));
        }
        let view = View::new(&state, Viewer::Seat(seat));
        let line = bot(Level::Decent, &view, &mut rng)[0].to_string();
        state = decide_line(&state, seat, &line, &mut chance).unwrap().state;
    }
}

#[test]
fn the_decent_bot_closes_a_gap_with_the_cheapest_cards() {
    use super::super::view::{FightView, SideView};
    let side = SideView { seat: Seat::new(1).unwrap(), dice: vec![2], used: vec![], power: 2 };
    let fight = FightView {
        room: "red-queen".parse().unwrap(),
        monsters: vec![],
        die: None,
        monster_power: 9,
        fighter: side.clone(),
        helper: None,
        can_ask: vec![],
        asked: vec![],
        refused: vec![],
    };
    let hand: Vec<Treasure> =
        ["crown", "dry-biscuit", "riddle", "teacup", "watch"].map(|id| id.parse().unwrap()).into();
    let plan = plan::cheapest(&fight, &side, &hand, 7).unwrap();
    let lines: Vec<String> = plan.moves.iter().map(Move::to_string).collect();
    assert_eq!(lines, ["use dry-biscuit", "use teacup"]);
    assert!(plan::cheapest(&fight, &side, &hand, 20).is_none());
}
