-- A move changes no column that an index is about, so that the row of its table is written in place and no index with it. The archive goes by
-- when games ended instead of when they last moved.
alter table game_table
    add column over_at   timestamptz,
    add column deadlines timestamptz[] not null default '{}',  -- when time runs out for each of the awaited, in their order; null for never
    add column kept      smallint[]    not null default '{}';  -- seats that a bot keeps until their owners return
update game_table set
    over_at = case when status = 'over' then moved_at end,
    deadlines = array_fill(deadline, array[cardinality(awaiting)]),
    kept = array(select seat from (select distinct on (1) (body->>'seat')::smallint as seat, kind from event
                                   where table_id = game_table.id and kind in ('table-kept', 'table-returned')
                                   order by 1, seq desc) as last
                 where kind = 'table-kept');
alter table game_table drop column deadline;
drop index game_table_over;
create index game_table_over on game_table (over_at) where over_at is not null;

-- Tables as lists show them: for each taken seat, in order, the name of who holds it, or how well the bot plays that does.
create view listed_table as
    select id, game, status, seats, private, moves, standing, day, opened_at, moved_at, over_at, awaiting, deadlines, kept,
        array(select seat.seat from seat where seat.table_id = game_table.id order by seat.seat) as taken,
        array(select player.name from seat left join player on player.id = seat.player_id
              where seat.table_id = game_table.id order by seat.seat) as names,
        array(select seat.bot from seat where seat.table_id = game_table.id order by seat.seat) as bots
    from game_table;
