-- How players want their letters, and what the outbox needs to keep to it.

alter table player add column letters json not null default '{}';

-- What a player wants otherwise at one table.
alter table seat add column letters json;

-- People without an account who do not want to be invited any more, by a digest of their address.
create table silent_address (
    digest bytea       primary key,
    at     timestamptz not null
);

alter table letter
    add column nth         smallint,                        -- of a reminder: which of this turn
    add column tried_at    timestamptz,                     -- when it was first tried
    add column fixed       boolean not null default false,  -- it may have gone already, so it goes again as it was and under the same name, or not at all
    add column merged_into bigint,                          -- the first of the letters that go as one
    add column message_id  text;                            -- the name under which it went

create unique index letter_reminder_once on letter (player_id, table_id, move_no, nth) where nth is not null;
create index letter_waiting on letter (player_id) where sent_at is null and dropped_at is null;
create index letter_dead on letter (dropped_at) where dropped_at is not null and trouble is not null;
drop index letter_by_player;
create index letter_by_player on letter (player_id, table_id, sent_at);
