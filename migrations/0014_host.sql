-- The host's console: figures, suspensions, reports of talk, mutes, announcements, and a log of what the host does.

-- Counts by hour and by day (UTC), rolled up in the background.
create table figures (
    span          text        not null check (span in ('hour', 'day')),
    start         timestamptz not null,
    moves         bigint      not null default 0,
    players       bigint      not null default 0,  -- who moved
    newcomers     bigint      not null default 0,
    tables_opened bigint      not null default 0,
    tables_over   bigint      not null default 0,
    letters_sent  bigint      not null default 0,
    letters_dead  bigint      not null default 0,
    primary key (span, start)
);

-- Up to when everything is counted: one row. The month that the console shows is counted for houses that were there before.
create table figures_until (
    one boolean     primary key default true check (one),
    at  timestamptz not null
);
insert into figures_until (at) select coalesce(greatest(min(created_at), now() - interval '31 days'), now()) from player;

-- Who moved within the hours and days that are being counted, so that nobody is counted twice. Cleared after two days.
create table active_player (
    span      text        not null,
    start     timestamptz not null,
    player_id uuid        not null references player,
    primary key (span, start, player_id)
);

-- How long answers took, as histograms by hour. Every process adds its own once a minute.
create table answer_time (
    hour    timestamptz not null,
    kind    text        not null,
    bucket  smallint    not null,
    answers bigint      not null,
    primary key (hour, kind, bucket)
);

-- Events come in the order of time, so an index of ranges of pages finds those of a minute, and costs a move next to nothing.
create index event_by_time on event using brin (at) with (pages_per_range = 32, autosummarize = on);
create index letter_by_sending on letter (sent_at) where sent_at is not null;
create index player_by_joining on player (created_at);
create index game_table_by_opening on game_table (opened_at);

-- Players whom the host keeps out until further notice.
create table suspension (
    player_id      uuid        primary key references player,
    since          timestamptz not null,
    reason         text        not null,
    address_digest bytea       -- of the address of somebody who deleted the account while suspended: who signs up anew stays suspended
);
create index suspension_by_address on suspension (address_digest) where address_digest is not null;

-- Whatever the host does. Append-only, by trigger.
create table host_log (
    id              bigint      generated always as identity primary key,
    at              timestamptz not null,
    host_id         uuid        not null references player,
    deed            text        not null,
    player_id       uuid        references player,      -- whom it concerns
    table_id        uuid        references game_table,
    talk_id         bigint      references talk,
    letter_id       bigint,
    announcement_id bigint,
    reason          text        not null default ''
);
create index host_log_by_player on host_log (player_id) where player_id is not null;
create index host_log_by_table on host_log (table_id) where table_id is not null;

create function host_log_is_append_only() returns trigger language plpgsql as $$
begin
    raise exception 'the log of the host is never changed or deleted';
end $$;
create trigger host_log_is_never_changed before update or delete on host_log
    for each row execute function host_log_is_append_only();
create trigger host_log_is_never_truncated before truncate on host_log
    for each statement execute function host_log_is_append_only();

-- The names before and after the host renamed somebody: beside the log, because they go with the account.
create table host_rename (
    log_id    bigint primary key references host_log,
    player_id uuid   not null references player,
    before    text   not null,
    after     text   not null
);
create index host_rename_by_player on host_rename (player_id);

-- The host removed what was said: the words are kept, and shown to nobody but the host and their writer.
alter table talk add column removed_at timestamptz;

-- A player finds that the host should look at something that was said.
create table talk_report (
    talk_id    bigint      not null references talk,
    player_id  uuid        not null references player,  -- who reported it
    reason     text        not null default '',
    at         timestamptz not null,
    settled_at timestamptz,
    outcome    text        check (outcome in ('removed', 'dismissed')),
    primary key (talk_id, player_id)
);
create index talk_report_open on talk_report (talk_id) where settled_at is null;
create index talk_report_by_player on talk_report (player_id, at);

-- A player does not want to read what another writes.
create table mute (
    id        uuid        primary key,
    player_id uuid        not null references player,
    muted_id  uuid        not null references player,
    at        timestamptz not null,
    unique (player_id, muted_id)
);
create index mute_by_muted on mute (muted_id);

-- What the host tells everybody, on every page.
create table announcement (
    id       bigint      generated always as identity primary key,
    words    text        not null,
    from_at  timestamptz not null,
    until_at timestamptz not null,
    made_at  timestamptz not null
);
create index announcement_by_end on announcement (until_at);
