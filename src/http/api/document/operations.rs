//! All operations: where they are, who carries them out, what they are called and what they answer.

use actix_web::http::Method;
use serde_json::{Map, Value};

use crate::http::api::document::Document;
use crate::http::api::types::curve::CurveState;
use crate::http::api::types::games::{Daily, Game, Games};
use crate::http::api::types::invitations::InvitedPeople;
use crate::http::api::types::letters::{Letters, TableWishes};
use crate::http::api::types::me::{Asked, Devices, Invitations, InvitedTo, Me, NewToken, NextTable, Tokens};
use crate::http::api::types::players::Player;
use crate::http::api::types::tables::{Answers, Report, SaidOrPreview, Seated, Step, Table, TableId, Tables};
use crate::http::api::types::talk::{Mutes, Note, TalkList};
use crate::http::api::types::time::{DaysOffList, Hours};
use crate::http::api::types::undo::Undone;
use crate::http::api::types::ways::{Feeds, NewFeeds, NewWebhook, Webhooks};
use crate::http::api::{catalogue, curve, invitations, letters, me, players, tables, talk, time, undo, ways};

pub fn describe(api: &mut Document) {
    describe_catalogue(api);
    describe_me(api);
    describe_account(api);
    describe_tables(api);
    describe_invitations(api);
    describe_moves(api);
    describe_time(api);
    describe_pauses(api);
    describe_letters(api);
    describe_ways(api);
    describe_talk(api);
}

/// Games, the archive and the garden of the day.
fn describe_catalogue(api: &mut Document) {
    api.on(Method::GET, "/openapi.json", catalogue::openapi, "openapi", "This description")
        .answers::<Map<String, Value>>();
    api.on(Method::GET, "/games", catalogue::games, "games", "All games of the house").answers::<Games>();
    api.on(Method::GET, "/games/{slug}", catalogue::game, "game", "A game, and how it is played").answers::<Game>();
    api.on(Method::GET, "/archive", catalogue::archive, "archive", "Finished games, the latest first")
        .answers::<Tables>();
    api.on(
        Method::GET,
        "/players/{who}",
        players::show,
        "player",
        "How somebody plays, by id or name, if they show it to you",
    )
    .answers::<Player>();
    api.on(Method::GET, "/daily", catalogue::daily, "daily", "Today's garden and its results").answers::<Daily>();
    api.on(Method::POST, "/daily", catalogue::play_today, "playToday", "Lays out today's garden, or goes back to it")
        .answers::<TableId>();
    api.on(Method::GET, "/daily/{day}", catalogue::daily_of, "dailyOf", "The garden of a day and its results")
        .answers::<Daily>();
}

/// The holder of the token: profile, tables, invitations.
fn describe_me(api: &mut Document) {
    api.on(Method::GET, "/me", me::show, "me", "Who holds the token").with_token().answers::<Me>();
    api.on(Method::PATCH, "/me", me::change, "changeMe", "Changes name or settings").answers::<Me>();
    api.on(
        Method::DELETE,
        "/me",
        me::delete,
        "deleteMe",
        "Deletes the account; games stay as they are. Needs a sign-in or a confirmation of the last day",
    )
    .done();
    api.on(Method::GET, "/me/tables", me::tables, "myTables", "One's own tables: those that wait first")
        .with_token()
        .answers::<Tables>();
    api.on(Method::GET, "/me/invitations", me::invitations, "myInvitations", "Invitations that wait for an answer")
        .with_token()
        .answers::<Invitations>();
    api.on(Method::GET, "/me/export", me::export, "exportMe", "Everything that the house knows of one")
        .with_token()
        .answers::<Map<String, Value>>();
    api.on(Method::GET, "/invitations/{token}", me::invitation, "invitation", "The table to which an invitation leads")
        .answers::<InvitedTo>();
    api.on(Method::POST, "/invitations/{token}", me::answer, "answerInvitation", "Accepts or declines")
        .answers::<Seated>();
    api.on(Method::GET, "/me/next", me::next, "nextTable", "The table that waits for me with the least time left")
        .with_token()
        .answers::<NextTable>();
}

/// Address, confirmation, sessions, tokens.
fn describe_account(api: &mut Document) {
    api.on(
        Method::POST,
        "/me/address",
        me::change_address,
        "changeAddress",
        "Writes a letter to a new address, which confirms it. Needs a sign-in or a confirmation of the last day",
    )
    .done();
    api.on(
        Method::POST,
        "/me/confirm",
        me::ask_to_confirm,
        "askToConfirm",
        "Writes a letter to one's own address, with a code and a link that confirm the token for a day. Gives what the \
         code is sent along with, or nothing if no confirmation is needed",
    )
    .answers::<Asked>();
    api.on(
        Method::PUT,
        "/me/confirm",
        me::confirm,
        "confirm",
        "Confirms with the code of that letter that it is the player who asks",
    )
    .done();
    api.on(
        Method::DELETE,
        "/me/sessions",
        me::sign_out_everywhere,
        "signOutEverywhere",
        "Signs out of all browsers and ends all tokens, this one as well",
    )
    .done();
    api.on(Method::GET, "/me/devices", me::devices, "devices", "The browsers on which this player has notices")
        .with_token()
        .answers::<Devices>();
    api.on(Method::DELETE, "/me/devices/{device}", me::remove_device, "removeDevice", "Turns notices off on a browser")
        .done();
    api.on(Method::GET, "/me/tokens", me::tokens, "tokens", "The tokens of this player, without their secrets")
        .with_token()
        .answers::<Tokens>();
    api.on(
        Method::POST,
        "/me/tokens",
        me::make_token,
        "makeToken",
        "Makes a token; it is shown this once. Needs a sign-in or a confirmation of the last day",
    )
    .answers::<NewToken>();
    api.on(Method::DELETE, "/me/tokens/{token}", me::revoke_token, "revokeToken", "Revokes a token").done();
}

/// Tables: opening, sitting down, looking.
fn describe_tables(api: &mut Document) {
    api.on(Method::GET, "/tables", tables::open_tables, "openTables", "Tables with free seats").answers::<Tables>();
    api.on(Method::POST, "/tables", tables::open, "openTable", "Opens a table").answers::<TableId>();
    api.on(Method::GET, "/tables/{id}", tables::show, "table", "A table as the holder of the token knows it")
        .answers::<Table>();
    api.on(Method::POST, "/tables/{id}/sit", tables::sit, "sit", "Sits down and cuts the deck").answers::<Seated>();
    api.on(Method::POST, "/tables/{id}/stand", tables::stand, "stand", "Stands up again before the game begins").done();
    api.on(Method::GET, "/tables/{id}/moves/{move}", tables::at_move, "step", "A table as it was after a move")
        .answers::<Step>();
    api.on(
        Method::POST,
        "/tables/{id}/moves/{move}/play-on",
        tables::play_on,
        "playOn",
        "Opens a table that goes on from a step of a finished game, and sits down there",
    )
    .answers::<TableId>();
    api.on(
        Method::GET,
        "/tables/{id}/curve",
        curve::show,
        "curve",
        "The curve of a finished game: chances after each move",
    )
    .answers::<CurveState>();
    api.on(Method::POST, "/tables/{id}/curve", curve::ask, "askForCurve", "Asks for the curve of a finished game")
        .done();
    api.on(Method::GET, "/tables/{id}/check", tables::check, "check", "The check of a game").answers::<Report>();
    api.on(Method::GET, "/tables/{id}/export.jsonl", tables::export, "export", "The game as JSON lines")
        .answers_text("application/jsonl", "The file");
    api.on(
        Method::GET,
        "/tables/{id}/live",
        tables::live,
        "live",
        "Server-sent events: `moved` with a mark of the table as it is now, and of each state that it reaches",
    )
    .answers_text("text/event-stream", "A stream without end");
}

/// Filling the seats of a table.
fn describe_invitations(api: &mut Document) {
    api.on(
        Method::POST,
        "/tables/{id}/invite",
        invitations::invite,
        "invite",
        "Invites people by address, with a line of your own",
    )
    .done();
    api.on(
        Method::GET,
        "/tables/{id}/invitations",
        invitations::invited,
        "invited",
        "Who was invited to a table of yours, and what they said",
    )
    .with_token()
    .answers::<InvitedPeople>();
    api.on(
        Method::DELETE,
        "/tables/{id}/invitations/{invitation}",
        invitations::withdraw,
        "withdrawInvitation",
        "Takes an invitation back that you sent, unless it was answered",
    )
    .done();
    api.on(
        Method::POST,
        "/tables/{id}/bots",
        invitations::seat_bot,
        "seatBot",
        "Gives a free seat to a bot before the game begins",
    )
    .answers::<Seated>();
}

/// What those do who sit at a table.
fn describe_moves(api: &mut Document) {
    api.on(
        Method::POST,
        "/tables/{id}/say",
        tables::say,
        "say",
        "Says a move, or several, a line each; or shows what they would come to",
    )
    .answers::<SaidOrPreview>();
    api.on(
        Method::POST,
        "/tables/{id}/undo",
        undo::undo,
        "undo",
        "Undoes my last move, if nobody learnt anything by it and nobody else is concerned",
    )
    .answers::<Undone>();
    api.on(
        Method::POST,
        "/tables/{id}/take-back",
        undo::take_back,
        "takeBack",
        "Asks the others whether I may take my last move back, no longer asks, or answers somebody who does",
    )
    .done();
    api.on(Method::POST, "/tables/{id}/resign", tables::resign, "resign", "Gives up").done();
    api.on(Method::POST, "/tables/{id}/agree", tables::agree, "agree", "Wants to end the game here, or no longer does")
        .done();
    api.on(
        Method::POST,
        "/tables/{id}/rematch",
        tables::rematch,
        "rematch",
        "Plays again with the same people: opens the table and asks them, or joins the one that one of them opened",
    )
    .answers::<TableId>();
    api.on(
        Method::GET,
        "/tables/{id}/answers",
        tables::answers,
        "answers",
        "What may be answered in advance, and what has been",
    )
    .with_token()
    .answers::<Answers>();
    api.on(
        Method::POST,
        "/tables/{id}/answers",
        tables::leave_answer,
        "leaveAnswer",
        "Leaves an answer to a decision in advance, or withdraws it",
    )
    .done();
}

/// Waking hours and days off.
fn describe_time(api: &mut Document) {
    api.on(
        Method::GET,
        "/me/hours",
        time::hours,
        "hours",
        "My waking hours, by which tables count that leave the nights out",
    )
    .with_token()
    .answers::<Hours>();
    api.on(
        Method::PUT,
        "/me/hours",
        time::declare_hours,
        "declareHours",
        "Declares waking hours, at least 8 a day; null declares none",
    )
    .done();
    api.on(Method::GET, "/me/days-off", time::days_off, "daysOff", "My days off that are not over")
        .with_token()
        .answers::<DaysOffList>();
    api.on(
        Method::POST,
        "/me/days-off",
        time::announce_days_off,
        "announceDaysOff",
        "Announces days off, the first and the last included; clocks stand meanwhile",
    )
    .done();
    api.on(
        Method::DELETE,
        "/me/days-off/{id}",
        time::end_days_off,
        "endDaysOff",
        "Ends days off, or takes them back if they have not begun",
    )
    .done();
}

/// Pauses, and coming back.
fn describe_pauses(api: &mut Document) {
    api.on(
        Method::POST,
        "/tables/{id}/pause",
        time::pause,
        "pause",
        "Wants a pause, for good or until then, or no longer does; the game pauses when all want the same",
    )
    .done();
    api.on(Method::POST, "/tables/{id}/resume", time::resume, "resume", "Ends the pause").done();
    api.on(
        Method::POST,
        "/tables/{id}/return",
        time::come_back,
        "comeBack",
        "Takes my seat back from the bot that keeps it",
    )
    .done();
    api.on(
        Method::POST,
        "/tables/{id}/go-on",
        time::go_on,
        "goOn",
        "Goes on though somebody has missed many moves in a row",
    )
    .done();
}

/// When letters come.
fn describe_letters(api: &mut Document) {
    api.on(
        Method::GET,
        "/me/letters",
        letters::show,
        "letterWishes",
        "When letters come to me, as wishes and in words",
    )
    .with_token()
    .answers::<Letters>();
    api.on(Method::PUT, "/me/letters", letters::keep, "keepLetterWishes", "Puts other wishes in their place").done();
    api.on(
        Method::GET,
        "/tables/{id}/letters",
        letters::show_of_table,
        "tableWishes",
        "When letters about this table come to me, if otherwise than usual",
    )
    .with_token()
    .answers::<TableWishes>();
    api.on(
        Method::PUT,
        "/tables/{id}/letters",
        letters::keep_of_table,
        "keepTableWishes",
        "Puts other wishes for this table in their place",
    )
    .done();
}

/// Feeds and webhooks.
fn describe_ways(api: &mut Document) {
    api.on(Method::GET, "/me/feeds", ways::feeds, "feeds", "Since when my feeds have their addresses")
        .with_token()
        .answers::<Feeds>();
    api.on(
        Method::POST,
        "/me/feeds",
        ways::renew_feeds,
        "renewFeeds",
        "Gives my feeds new addresses, shown this once; the former ones stop working",
    )
    .answers::<NewFeeds>();
    api.on(Method::DELETE, "/me/feeds", ways::end_feeds, "endFeeds", "Takes the addresses of my feeds away").done();
    api.on(Method::GET, "/me/webhooks", ways::webhooks, "webhooks", "My webhooks, and how messages to them fare")
        .with_token()
        .answers::<Webhooks>();
    api.on(
        Method::PUT,
        "/me/webhooks",
        ways::add_webhook,
        "addWebhook",
        "Sets the webhook for all my tables, in place of the former one; the secret is shown this once",
    )
    .answers::<NewWebhook>();
    api.on(
        Method::PUT,
        "/tables/{id}/webhook",
        ways::add_webhook_of_table,
        "addWebhookOfTable",
        "Sets a webhook for this table, which tells of it instead of the one for all; the secret is shown this once",
    )
    .answers::<NewWebhook>();
    api.on(Method::DELETE, "/me/webhooks/{webhook}", ways::remove_webhook, "removeWebhook", "Removes a webhook").done();
    api.on(
        Method::POST,
        "/me/webhooks/{webhook}/try-again",
        ways::try_webhook_again,
        "tryWebhookAgain",
        "Uses a webhook again that was turned off, and sends again what was given up",
    )
    .done();
}

/// Talk, mutes, notes.
fn describe_talk(api: &mut Document) {
    api.on(
        Method::GET,
        "/tables/{id}/talk",
        talk::show,
        "talk",
        "What the players write to each other: for them while the game runs, for all who see the table when it is over",
    )
    .answers::<TalkList>();
    api.on(Method::POST, "/tables/{id}/talk", talk::write, "writeToTable", "Writes to all who sit at the table").done();
    api.on(
        Method::POST,
        "/tables/{id}/talk/{talk}/report",
        talk::report,
        "reportMessage",
        "Reports a message of somebody else to the host; the second time changes nothing",
    )
    .done();
    api.on(
        Method::POST,
        "/tables/{id}/talk/{talk}/mute",
        talk::mute,
        "muteWriter",
        "Hides what the writer of a message writes, at every table",
    )
    .done();
    api.on(Method::GET, "/me/mutes", talk::mutes, "mutes", "Those whose messages are hidden from you")
        .with_token()
        .answers::<Mutes>();
    api.on(Method::DELETE, "/me/mutes/{mute}", talk::unmute, "unmute", "Shows again what somebody writes").done();
    api.on(Method::GET, "/tables/{id}/note", talk::note, "note", "My own note at this table")
        .with_token()
        .answers::<Note>();
    api.on(
        Method::PUT,
        "/tables/{id}/note",
        talk::keep_note,
        "keepNote",
        "Puts a note in the place of the one before; an empty one is none",
    )
    .done();
}
