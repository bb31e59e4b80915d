//! Every page and form, and who answers it. The API and the host's console have lists of their own.

use actix_web::{HttpResponse, ResponseError, web};

use crate::http::pages::{
    account, announcements, archive, assets, chance, daily, game, health, home, learn, letters, next, offline, player,
    preview, rules, search_engines, table,
};
use crate::http::problem::Problem;
use crate::http::route::Route;
use crate::http::state::AppState;

pub fn routes(config: &mut web::ServiceConfig) {
    let page = |path: &str| Route::new(path, |takes| Problem::NoMethod(takes).error_response());
    config
        // A scope, and the first: a table's name is looked for once and not for each of its pages.
        .service(
            web::scope("/t/{id}")
                .service(page("").get(table::actions::show))
                .service(page("/say").post(table::actions::say).get(table::actions::after_saying))
                .service(page("/undo").post(table::undo::undo).get(table::actions::after_saying))
                .service(page("/take-back").post(table::undo::take_back).get(table::actions::after_saying))
                .service(page("/at/{move}").get(table::actions::history))
                .service(page("/at/{move}/play-on").post(table::play_on::play_on))
                .service(page("/curve").get(table::curve::show).post(table::curve::ask))
                .service(page("/live").get(table::live::stream))
                .service(page("/sit").post(table::open::sit))
                .service(page("/stand").post(table::open::stand))
                .service(page("/invite").post(table::open::invite))
                .service(page("/invitations/{invitation}/withdraw").post(table::open::withdraw))
                .service(page("/bot").post(table::open::seat_bot))
                .service(page("/picture.png").get(table::picture::of_table))
                .service(page("/board.svg").get(table::picture::for_watchers))
                .service(page("/preview.png").get(preview::of_table))
                .service(page("/resign").post(table::actions::resign))
                .service(page("/answers").post(table::plans::leave).get(table::actions::after_saying))
                .service(page("/agree").post(table::actions::agree))
                .service(page("/pause").post(table::time::pause))
                .service(page("/resume").post(table::time::resume))
                .service(page("/return").post(table::time::come_back))
                .service(page("/go-on").post(table::time::go_on))
                .service(page("/talk").post(table::talk::talk))
                .service(page("/talk/{talk}/report").get(table::report::show).post(table::report::report))
                .service(page("/talk/{talk}/mute").post(table::report::mute))
                .service(page("/note").post(table::talk::note))
                .service(page("/rematch").post(table::actions::rematch))
                .service(
                    page("/letters").get(letters::preferences::show_of_table).post(letters::preferences::keep_of_table),
                )
                .service(page("/check").get(chance::check))
                .service(page("/export.jsonl").get(chance::export))
                .service(page("/record.txt").get(table::record::of_table))
                .default_service(web::route().to(no_page)),
        )
        .service(page("/").get(home::show))
        .service(page("/desk/offline").get(offline::desk))
        .service(page("/offline").get(offline::show))
        .service(page("/service-worker.js").get(offline::worker))
        .service(page("/next").get(next::show))
        .service(page("/games/{slug}").get(game::show))
        .service(page("/games/{slug}/fits").get(game::fits))
        .service(page("/games/{slug}/first-steps").post(game::read_first_steps))
        .service(page("/learn").get(learn::show))
        .service(page("/learn/{slug}").get(learn::show_course))
        .service(page("/learn/{slug}/{lesson}").get(learn::lesson::begin))
        .service(page("/learn/{slug}/{lesson}/{place}").get(learn::lesson::show))
        .service(page("/learn/{slug}/{lesson}/{place}/say").post(learn::lesson::say).get(learn::lesson::after_saying))
        .service(page("/games/{slug}/rules").get(rules::show))
        .service(page("/games/{slug}/rules/{example}.png").get(rules::picture))
        .service(page("/rules").get(rules::search))
        .service(page("/games/{slug}/preview.png").get(preview::of_game))
        .service(page("/tables").post(game::open))
        .service(page("/archive").get(archive::show))
        .service(page("/archive.atom").get(archive::feed))
        .service(page("/players/{who}").get(player::show))
        .service(page("/i/{token}").get(table::invitation::show).post(table::invitation::answer))
        .service(page("/daily").get(daily::show).post(daily::play))
        .service(page("/daily/former").get(daily::former::show))
        .service(page("/daily/{day}").get(daily::show_day).post(daily::former::play))
        .service(page("/daily/{day}/preview.png").get(preview::of_garden))
        .service(page("/daily/{day}/garden.svg").get(table::picture::of_garden))
        .service(page("/sign-in").get(account::sign_in::show).post(account::sign_in::ask))
        .service(page("/sign-in/code").get(account::sign_in::show_code).post(account::sign_in::enter_code))
        .service(page("/sign-in/{token}").get(account::sign_in::show_link).post(account::sign_in::enter_by_link))
        .service(page("/sign-out").post(account::sign_in::sign_out))
        .service(page("/sign-out/everywhere").post(account::sign_in::sign_out_everywhere))
        .service(page("/me").get(account::me::show))
        .service(page("/me/name").post(account::me::rename))
        .service(page("/me/address").post(account::me::change_address))
        .service(page("/me/settings").post(account::me::keep_settings))
        .service(page("/me/letters").get(letters::preferences::show).post(letters::preferences::keep))
        .service(page("/me/letters/devices").post(letters::devices::add))
        .service(page("/me/letters/devices/{device}/remove").post(letters::devices::remove))
        .service(page("/unsubscribe/{token}").get(letters::unsubscribe::show).post(letters::unsubscribe::act))
        .service(page("/me/zone").post(account::me::keep_zone))
        .service(page("/me/hours").post(table::time::declare_hours))
        .service(page("/me/days-off").post(table::time::announce_days_off))
        .service(page("/me/days-off/{id}/end").post(table::time::end_days_off))
        .service(page("/me/tokens").post(account::me::make_token))
        .service(page("/me/tokens/{id}/revoke").post(account::me::revoke_token))
        .service(page("/me/export.json").get(account::me::export))
        .service(page("/me/games.txt").get(table::record::of_player))
        .service(page("/me/delete").get(account::me::ask_to_delete).post(account::me::delete))
        .service(page("/me/mutes/{mute}/end").post(table::report::unmute))
        .service(page("/announcements/{announcement}/dismiss").post(announcements::dismiss))
        .service(page("/me/mail-on").post(account::me::turn_mail_on))
        .service(page("/held/{token}").get(letters::held::show).post(letters::held::confirm))
        .service(page("/in/mail").post(letters::webhook::take))
        .service(page("/mailbox").only_if(AppState::shows_mailbox).get(letters::mailbox::show))
        .service(
            page("/mailbox/dead")
                .only_if(AppState::shows_mailbox)
                .get(letters::dead::show)
                .post(letters::dead::try_again),
        )
        .service(page("/mailbox/{letter}").only_if(AppState::shows_mailbox).get(letters::mailbox::show_html))
        .service(page("/chance").get(chance::explain))
        .service(page("/static/{digest}/{name}").get(assets::show))
        .service(page("/favicon.ico").get(assets::favicon))
        .service(page("/robots.txt").get(search_engines::robots))
        .service(page("/sitemap.xml").get(search_engines::sitemap))
        .service(page("/healthz").get(health::alive))
        .service(page("/readyz").get(health::ready))
        .service(page("/metrics").only_if(AppState::shows_metrics).get(health::metrics))
        .default_service(web::route().to(no_page));
}

pub(in crate::http) async fn no_page() -> Result<HttpResponse, Problem> {
    Err(Problem::NoPage)
}
