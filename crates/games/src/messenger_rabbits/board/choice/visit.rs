//! What to do on a visit, and where to build.

use super::super::super::cards::Cards;
use super::super::super::moves::Move;
use super::super::super::phase::Action;
use super::super::super::site::Site;
use super::super::control::{Group, Item, Spot, Target, emblem};
use super::Lister;
use crate::board_action::BoardAction;
use crate::playing_cards::suit_name;
use wonderpost_rules::{Card, Seat};

impl Lister<'_> {
    pub(super) fn visit(&self) -> Vec<Group> {
        let mut groups = vec![];
        let (mut claims, mut wares, mut fights, mut offers) = (vec![], vec![], vec![], vec![]);
        for mv in self.moves {
            match mv {
                Move::Act(Action::Claim(house), _) if !claims.contains(house) => claims.push(*house),
                Move::Act(Action::Buy(card), _) if !wares.contains(card) => wares.push(*card),
                Move::Attack { target, with } => {
                    let item = Item::say(mv, target.mark()).with(*with).spoken(self.described(mv));
                    fights.push(item);
                }
                Move::Offer { card, .. } if !offers.contains(card) => offers.push(*card),
                _ => {}
            }
        }
        for house in claims {
            let title = format!("Win over {}", house.royal().with_sign());
            groups.push(Group::of(title, self.payments(Action::Claim(house))).folded());
        }
        wares.sort_unstable();
        let wares: Vec<Item> = wares
            .into_iter()
            .map(|card| {
                let mut payments = self.payments(Action::Buy(card));
                match payments.len() {
                    1 => {
                        let only = payments.remove(0);
                        let paid: Cards = only.cards.iter().copied().collect();
                        Item { words: format!("for {}", paid.in_words()), cards: vec![card], look: "", ..only }
                    }
                    _ => Item::begin(format!("buy {card}"), "")
                        .with(Cards::one(card))
                        .spoken(format!("Buy {}; then choose the payment", card.with_sign())),
                }
            })
            .collect();
        groups.push(Group::of("Buy", wares));
        groups.push(Group::of("Attack", fights));
        offers.sort_unstable();
        let offers = offers.into_iter().map(|card| {
            let spoken = format!("Offer {}; then choose to whom and for what", card.with_sign());
            Item::begin(format!("offer {card}"), "").with(Cards::one(card)).spoken(spoken)
        });
        groups.push(Group::of("Offer", offers.collect()));
        groups.push(Group::of("", vec![Item::say(&Move::Done, "End the visit and draw")]));
        groups.retain(|group| !group.items.is_empty());
        groups
    }

    pub(super) fn prices_of(&self, card: Card) -> Vec<Group> {
        vec![Group::of("Pay with", self.payments(Action::Buy(card))).folded()]
    }

    pub(super) fn offers_of(&self, offered: Card) -> Vec<Group> {
        let mut groups: Vec<(Seat, Group)> = vec![];
        for mv in self.moves {
            let Move::Offer { card, to, suit } = mv else { continue };
            if *card != offered {
                continue;
            }
            let item = Item::say(mv, format!("for a card of {}", suit_name(*suit)));
            match groups.iter_mut().find(|(seat, _)| seat == to) {
                Some((_, group)) => group.items.push(item),
                None => groups.push((*to, Group::of(format!("To {}", to.mark()), vec![item]))),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    pub(super) fn sites(&self) -> Vec<Target> {
        let mut targets: Vec<Target> = vec![];
        for mv in self.moves {
            let Move::Place(ground) = mv else { continue };
            let spot = Spot::Site(ground.site);
            if let Some(target) = targets.iter_mut().find(|target| target.spot == spot) {
                target.way = BoardAction::Begin(format!("at {}", ground.site));
                target.label = format!("Build here, at {}; then choose the neighbour it is joined to", ground.site);
                continue;
            }
            let label = format!("{}, at {}", self.described(mv), ground.site);
            let tag = ground.site.to_string();
            targets.push(Target { spot, way: BoardAction::Submit(*mv), label, tag, free: true, track: None });
        }
        targets
    }

    pub(super) fn neighbours_of(&self, site: Site) -> Vec<Group> {
        let layout = &self.view.table.board.layout;
        let items = self.moves.iter().filter_map(|mv| match mv {
            Move::Place(ground) if ground.site == site => {
                let neighbour = layout.hexagon_at(ground.by?)?;
                Some(
                    Item { emblem: Some(emblem(neighbour)), ..Item::say(mv, neighbour.sign()) }
                        .spoken(self.described(mv)),
                )
            }
            _ => None,
        });
        vec![Group::of("Joined to", items.collect())]
    }
}
