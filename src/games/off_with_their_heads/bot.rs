pub fn bot(
    _: crate::rules::Level,
    _: &crate::rules::View<super::OffWithTheirHeads>,
    _: &mut dyn rand::Rng,
) -> Vec<super::moves::Move> {
    vec![]
}
