-- The house: names and addresses, signing in, letters, invitations, bots, pace.

alter table player
    add column name       text,         -- null for a former player
    add column name_key   text unique,  -- the name with case, accents and the like folded: what must differ
    add column email      text,         -- null for guests and former players
    add column settings   json not null default '{}',
    add column deleted_at timestamptz;
update player set name = 'Guest ' || right(replace(id::text, '-', ''), 12), name_key = 'guest ' || right(replace(id::text, '-', ''), 12);
create unique index player_email on player (lower(email));

-- What the house signs with, made at its first start: forms, so that it knows its own.
create table house_key (
    name text  primary key,
    key  bytea not null
);

-- A letter with a link and a code was asked for. Only digests are kept.
create table sign_in (
    token_digest bytea       primary key,         -- of the secret in the link
    ask_digest   bytea       not null unique,     -- of the secret that the asking browser keeps
    code_digest  bytea       not null,            -- of that secret and the code: nobody can try codes on a copy of this table
    purpose      text        not null check (purpose in ('sign-in', 'address')),
    email        text        not null,
    asked_by     uuid        references player,   -- a guest whose games come along, or whose address it is to be
    network      text        not null,            -- for limits: an address, or the part of one that a household shares
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null,
    used_at      timestamptz,
    tries        integer     not null default 0   -- wrong codes
);
create index sign_in_by_email on sign_in (lower(email), created_at);
create index sign_in_by_network on sign_in (network, created_at);

create table api_token (
    id           uuid        primary key,
    token_digest bytea       not null unique,
    player_id    uuid        not null references player,
    title        text        not null,
    created_at   timestamptz not null default now(),
    used_at      timestamptz
);
create index api_token_by_player on api_token (player_id);

alter table game_table
    add column seats       smallint    not null default 1,
    add column private     boolean     not null default false,
    add column opened_by   uuid        references player,
    add column link_token  text,                     -- whoever has it is invited
    add column deadline    timestamptz,              -- when time runs out for the awaited
    add column due         timestamptz;              -- when the house has to see to it: a bot's move, the clock, an open table nobody starts
create index game_table_due on game_table (due) where due is not null;
create index game_table_open on game_table (opened_at) where status = 'open';
create index game_table_over on game_table (moved_at) where status = 'over';
alter table game_table drop constraint game_table_status_check;
alter table game_table add check (status in ('open', 'playing', 'over', 'gone'));

-- A seat is held by a player, by a bot, or (after resigning) by a player for whom a bot stands in.
alter table seat
    alter column player_id drop not null,
    add column bot           text,                    -- how well it plays
    add column looked_move   integer not null default 0,  -- up to here the holder had seen the game when this visit began
    add column last_look_move integer not null default 0,
    add column last_look_at  timestamptz,
    add check (player_id is not null or bot is not null);

-- Somebody was asked to a table.
create table invitation (
    token      text        primary key,
    table_id   uuid        not null references game_table,
    player_id  uuid        references player,        -- known to the house, or
    email      text,                                  -- known by address alone
    invited_by uuid        not null references player,
    created_at timestamptz not null default now(),
    answer     text        check (answer in ('accepted', 'declined'))
);
create index invitation_by_table on invitation (table_id);
create index invitation_by_player on invitation (player_id);
create index invitation_by_email on invitation (lower(email));

-- The outbox. Written with what it tells of; the words are made when it is sent.
create table letter (
    id            bigint      generated always as identity primary key,
    kind          text        not null,
    player_id     uuid        references player,
    address       text,                               -- for people the house does not know (yet)
    table_id      uuid,
    move_no       integer,
    details       json        not null default '{}',  -- emptied when it is sent: a link's secret is here until then
    written_at    timestamptz not null default now(),
    send_after    timestamptz not null default now(),
    tries         integer     not null default 0,
    sent_at       timestamptz,
    dropped_at    timestamptz,
    trouble       text,
    -- What was sent, kept only where no mail server is set up.
    to_address    text,
    subject       text,
    text_body     text,
    html_body     text
);
create index letter_to_send on letter (send_after) where sent_at is null and dropped_at is null;
create index letter_by_player on letter (player_id);
