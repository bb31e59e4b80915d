-- Other ways in which players are told, under the same wishes as letters.

-- An address to which what letters would tell is sent: for all tables of a player, or for one of them.
create table webhook (
    id         uuid        primary key,
    player_id  uuid        not null references player,
    table_id   uuid        references game_table,    -- null: for all tables without one of their own
    form       text        not null,                 -- how a message is written: json, discord, slack, matrix
    url        text        not null,
    secret     bytea       not null,                 -- messages are signed with it
    created_at timestamptz not null,
    sent_at    timestamptz,                          -- when a message last went
    failures   integer     not null default 0,       -- messages given up since then
    trouble    text,                                 -- why the last try failed
    off_since  timestamptz                           -- too many were given up: nothing is sent any more
);
create unique index webhook_for_all_tables on webhook (player_id) where table_id is null;
create unique index webhook_for_one_table on webhook (player_id, table_id) where table_id is not null;

-- A notice goes to a device, or to a webhook. Those for webhooks that were given up stay, to be looked at and tried again.
alter table notice alter column device_id drop not null;
alter table notice add column webhook_id uuid references webhook on delete cascade;
alter table notice add constraint notice_goes_somewhere check ((device_id is null) <> (webhook_id is null));
alter table notice add column kind text not null default 'turn';    -- the kind of letter that would tell it
alter table notice add column deadline timestamptz;                 -- when time runs out for the player
alter table notice add column dead_at timestamptz;                  -- when it was given up
alter table notice add column trouble text;                         -- why
create index notice_by_webhook on notice (webhook_id);

-- The secret in the addresses of a player's own feeds, as a digest. A player has one at a time.
create table feed_token (
    player_id    uuid        primary key references player,
    token_digest bytea       not null unique,
    created_at   timestamptz not null
);
