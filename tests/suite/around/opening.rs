//! What the form says is what is dealt.

use crate::harness::page::Page;
use crate::harness::{Service, TestDatabase, Visitor};

/// Who sits on which seat of an open table, as its page says.
async fn seats(visitor: &Visitor, table: &str) -> Vec<String> {
    let body = visitor.look(table).await;
    let list = Page(&body).between("<ol class=\"seats\">", "</ol>")[0].to_owned();
    let name = |item: &str| {
        let text: String = item.split('>').skip(1).map(|part| part.split('<').next().unwrap_or_default()).collect();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    list.split("<li").skip(1).map(name).collect()
}

#[actix_web::test]
async fn bots_and_people_sit_where_the_form_put_them() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let form = |more: &[(&'static str, &'static str)]| {
        [("game", "off-with-their-heads")].into_iter().chain(more.iter().copied()).collect::<Vec<_>>()
    };
    let open = form(&[("seat-2", "easy"), ("seat-3", "decent"), ("seat-4", "person")]);
    let table = visitor.post("/tables", &open).await.location();
    assert_eq!(seats(&visitor, &table).await, ["free", "Brunel (easy bot)", "Cornelius (strong bot)", "free"]);

    let open = form(&[("seat-2", "person"), ("seat-3", "easy"), ("seat-4", "nobody")]);
    let table = visitor.post("/tables", &open).await.location();
    assert_eq!(seats(&visitor, &table).await, ["free", "free", "Cornelius (easy bot)"]);

    // A seat for nobody is no seat.
    let open = form(&[("seat-2", "nobody"), ("seat-3", "decent"), ("seat-4", "person")]);
    let table = visitor.post("/tables", &open).await.location();
    assert_eq!(seats(&visitor, &table).await, ["free", "Brunel (strong bot)", "free"]);
}

#[actix_web::test]
async fn one_click_on_the_front_page_deals_a_game_against_a_bot() {
    let database = TestDatabase::new();
    let service = Service::start(&database);
    let visitor = service.visitor();
    let home = visitor.look("/").await;
    let forms = Page(&home).between("<form method=\"post\" action=\"/tables\"", "</form>");
    let red_queen = forms.iter().find(|form| form.contains("value=\"red-queen\"")).expect("a form for it");
    assert!(red_queen.contains("Play a bot"), "{red_queen}");
    let fields: Vec<(&str, &str)> = red_queen
        .split("name=\"")
        .skip(1)
        .filter_map(|field| field.split_once('"'))
        .map(|(name, rest)| {
            (name, rest.split("value=\"").nth(1).and_then(|value| value.split('"').next()).unwrap_or(""))
        })
        .filter(|(name, _)| *name != "csrf")
        .collect();
    let table = visitor.post("/tables", &fields).await.location();
    let page = visitor.look(&table).await;
    assert!(page.contains("id=\"board\"") || page.contains("Brunel (easy bot)"), "it is dealt: {page}");
    assert!(!page.contains("Sit down"), "nothing else is asked");
}
