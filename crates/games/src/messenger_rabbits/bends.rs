//! MR-8: which way round the bends lie. It follows from the map and is never chosen.

use super::hexagon::Hexagons;
use super::land::Layout;
use super::nets::nets;

/// What makes one map better than another: few road groups, then many links. Less is better.
type Merit = (usize, std::cmp::Reverse<usize>);

fn merit(layout: &Layout) -> Merit {
    let touched = nets(layout).touched;
    let mut groups: Vec<Hexagons> = layout.hexagons().iter().map(Hexagons::one).collect();
    for net in &touched {
        let mut joined = *net;
        groups.retain(|group| {
            let apart = group.and(*net).is_empty();
            if !apart {
                joined = joined.or(*group);
            }
            apart
        });
        if !joined.is_empty() {
            groups.push(joined);
        }
    }
    let all: Vec<_> = layout.hexagons().iter().collect();
    let pairs = all.iter().enumerate().flat_map(|(number, one)| all[..number].iter().map(move |other| (*one, *other)));
    let linked = |one, other| touched.iter().any(|net| net.contains(one) && net.contains(other));
    let links = pairs.filter(|(one, other)| linked(*one, *other)).count();
    (groups.len(), std::cmp::Reverse(links))
}

/// Turns the bends of a finished map.
pub fn turn(layout: &mut Layout) {
    layout.squares.iter_mut().for_each(|square| square.turn = 0);
    let mut best = merit(layout);
    loop {
        let mut changed = false;
        for place in 0..layout.squares.len() {
            if !layout.squares[place].has_bends() {
                continue;
            }
            layout.squares[place].turn ^= 1;
            let turned = merit(layout);
            if turned < best {
                best = turned;
                changed = true;
            } else {
                layout.squares[place].turn ^= 1;
            }
        }
        if !changed {
            return;
        }
    }
}
