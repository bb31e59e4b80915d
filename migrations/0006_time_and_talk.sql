-- Talk at the table and private notes; days off, and when the house itself was closed.

-- What players write to each other at a table. Nothing is ever changed in it or deleted from it.
create table talk (
    id        bigint      generated always as identity primary key,
    table_id  uuid        not null references game_table,
    seat      smallint    not null,
    player_id uuid        not null references player,
    at        timestamptz not null,
    move_no   integer     not null,  -- after which move it was written
    words     text        not null
);
create index talk_by_table on talk (table_id, id);
create index talk_by_player on talk (player_id, at);

-- What a player notes down for themselves at a table.
create table note (
    table_id   uuid        not null references game_table,
    player_id  uuid        not null references player,
    words      text        not null,
    updated_at timestamptz not null,
    primary key (table_id, player_id)
);
create index note_by_player on note (player_id);

-- The waking hours that a player has declared: none, and their clock runs day and night.
alter table player add column waking json;

-- Days off, whole days in the zone that the player had then. Tables are told of them by events.
create table vacation (
    id           uuid        primary key,
    player_id    uuid        not null references player,
    first_day    date        not null,
    last_day     date        not null,
    from_at      timestamptz not null,
    until_at     timestamptz not null,
    announced_at timestamptz not null
);
create index vacation_by_player on vacation (player_id, until_at);

-- When a process of the house last looked round: one row.
create table house_pulse (
    one  boolean     primary key default true check (one),
    at   timestamptz not null
);

-- When no process did for a while. Players do not pay for it with their time.
create table outage (
    from_at  timestamptz primary key,
    until_at timestamptz not null
);
