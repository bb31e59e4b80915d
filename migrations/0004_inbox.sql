-- The inbox: every message as it came in, before anything is made of it.

create table inbox (
    id          bigint      generated always as identity primary key,
    digest      bytea       not null unique,     -- of recipient and message: one that comes again is known
    recipient   text        not null,            -- an address of ours
    null_sender boolean     not null,            -- the envelope names no sender: a machine wrote it
    way         text        not null check (way in ('lmtp', 'deliver', 'webhook')),
    raw         bytea       not null,
    received_at timestamptz not null,
    work_after  timestamptz not null,
    tries       integer     not null default 0,
    player_id   uuid        references player,   -- who it is proven to be from: it then speaks for their seat
    done_at     timestamptz,
    outcome     text                             -- what became of it, without addresses or words of the message
);
create index inbox_to_do on inbox (work_after) where done_at is null;
create index inbox_done on inbox (done_at) where done_at is not null;
create index inbox_by_player on inbox (player_id) where player_id is not null;

-- A reply that came to the right address from somebody who may not be the player: held until the player confirms it.
create table held_reply (
    token_digest bytea       primary key,        -- of the secret in the link
    message      bigint      not null unique references inbox on delete cascade,
    player_id    uuid        not null references player,
    table_id     uuid        not null,
    lines        text        not null,           -- what it says, to be shown before it is confirmed
    expires_at   timestamptz not null,
    confirmed_at timestamptz
);
create index held_reply_by_player on held_reply (player_id);

-- A letter that came back for good. Two within a month turn an address off.
create table bounce (
    letter_id bigint      primary key,
    player_id uuid        not null references player,
    status    text        not null,
    at        timestamptz not null
);
create index bounce_by_player on bounce (player_id);

alter table player add column mail_off_since timestamptz;  -- letters to the address came back, so none are sent
