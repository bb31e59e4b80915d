-- The curves of finished games, made in the background when somebody asks for one. A projection of events: whatever is here can be
-- thrown away and made again.

create table analysis (
    table_id uuid not null references game_table (id) on delete cascade,
    -- The digest of the last event that was looked at, and the version of the analysis.
    head bytea not null,
    version integer not null,
    asked_at timestamptz not null,
    -- Whoever works on it has it until then.
    claimed_until timestamptz,
    tries smallint not null default 0,
    -- From 0 to 1.
    progress real not null default 0,
    done_at timestamptz,
    curve json,
    -- Why there is none.
    trouble text,
    -- The least chance that somebody had who won in the end.
    winners_least real,
    -- How much of the game was played when it was last open, from 0 to 1.
    open_until real,
    primary key (table_id, head, version)
);

create index analysis_waiting on analysis (asked_at) where done_at is null;
