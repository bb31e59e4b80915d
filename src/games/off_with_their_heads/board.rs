pub fn board(
    _: &crate::rules::View<super::OffWithTheirHeads>,
    _: Option<&crate::rules::View<super::OffWithTheirHeads>>,
    _: &crate::rules::Scene,
) -> String {
    String::new()
}
