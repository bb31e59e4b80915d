-- How finished games went, for players' pages and the archive: a projection of events. Whatever is here can be thrown away and made
-- again (wonderpost results).

create table game_result (
    table_id uuid primary key references game_table (id) on delete cascade,
    -- By which version of the reading.
    version integer not null,
    game text not null,
    seats smallint not null,
    over_at timestamptz not null,
    -- Whether it tells how well somebody plays: a game for several that somebody won.
    counts boolean not null,
    -- Whether the ratings have it.
    rated boolean not null default false,
    -- By how many points the best was ahead of the next, where a game keeps points.
    lead bigint
);

create index game_result_by_end on game_result (over_at);
create index game_result_to_rate on game_result (game, over_at, table_id) where counts;

create table seat_result (
    table_id uuid not null references game_result (table_id) on delete cascade,
    seat smallint not null,
    -- One of both.
    player_id uuid references player (id) on delete cascade,
    bot text,
    won boolean not null,
    -- How many seconds of clock each decision took, the last hundred; -1 for one that was missed.
    answers integer[] not null,
    primary key (table_id, seat)
);

create index seat_result_of_player on seat_result (player_id, table_id);

create table rating (
    player_id uuid not null references player (id) on delete cascade,
    game text not null,
    mean double precision not null,
    deviation double precision not null,
    games integer not null,
    primary key (player_id, game)
);

-- Up to which game the ratings are.
create table rating_progress (
    game text primary key,
    over_at timestamptz,
    table_id uuid
);
