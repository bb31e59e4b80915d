-- Players, tables and their events. Forward only.

create table player (
    id         uuid primary key,
    created_at timestamptz not null default now()
);

-- Somebody at a browser. Only a digest of the cookie is kept.
create table session (
    token_digest bytea primary key,
    player_id    uuid not null references player,
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null
);
create index session_by_player on session (player_id);

-- Everything that ever happened at a table: the truth. `seq` has no gaps; `digest` chains each event to the one before.
-- `json`, not `jsonb`: bodies are kept to the letter, and nothing queries inside them.
create table event (
    table_id uuid        not null,
    seq      bigint      not null,
    move_no  integer     not null,
    seat     smallint,
    at       timestamptz not null,
    kind     text        not null,
    body     json        not null,
    digest   bytea       not null,
    primary key (table_id, seq)
);

create function event_is_forever() returns trigger language plpgsql as $$
begin
    raise exception 'events are never changed or deleted';
end $$;
create trigger event_is_never_changed before update or delete on event
    for each row execute function event_is_forever();
create trigger event_is_never_truncated before truncate on event
    for each statement execute function event_is_forever();

-- A table as lists need it: a projection of its events, which can be rebuilt from them.
create table game_table (
    id        uuid primary key,
    game      text        not null,
    status    text        not null check (status in ('open', 'playing', 'over')),
    version   bigint      not null,  -- seq of the last event
    moves     integer     not null,
    awaiting  smallint[]  not null,
    standing  bigint[]    not null,  -- compares games on the same deal: higher is better, first number first
    day       date,                  -- of a garden of the day
    opened_at timestamptz not null,
    moved_at  timestamptz not null
) with (fillfactor = 70);            -- room for updates in place
create index game_table_of_the_day on game_table (day) where day is not null;

-- Who holds which seat.
create table seat (
    table_id  uuid     not null references game_table,
    seat      smallint not null,
    player_id uuid     not null references player,
    day       date,                  -- of a garden of the day: one a player and day
    primary key (table_id, seat)
);
create index seat_by_player on seat (player_id, table_id);
create unique index seat_once_a_day on seat (player_id, day) where day is not null;

-- What chance comes from. Read by the service alone, and published when the game is over.
create table table_secret (
    table_id uuid  primary key,
    secret   bytea not null
);

-- One deal a day for everybody. Its promise is published a day ahead, its secret when the day is over.
create table garden_of_the_day (
    day     date        primary key,
    secret  bytea       not null,
    made_at timestamptz not null default now()
);

-- Folded states, so that a long game costs what a short one does. A cache: it may be emptied at any time.
create table checkpoint (
    table_id uuid    not null,
    seq      bigint  not null,
    move_no  integer not null,
    shape    text    not null,  -- which build of the rules wrote it; others do not read it
    state    text    not null,
    primary key (table_id, seq)
);
