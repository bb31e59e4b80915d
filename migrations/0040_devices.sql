-- Notices (web push): one more way to be told besides letters, decided upon by the same outbox.

-- A browser on which a player wants notices. It belongs to a session, and ends with it.
create table device (
    id         uuid        primary key,
    player_id  uuid        not null references player,
    session    bytea       not null unique references session (token_digest) on delete cascade,
    title      text        not null,                -- such as “Firefox on Android”
    endpoint   text        not null unique,         -- where the browser's push service takes notices for it
    public_key bytea       not null,                -- notices are encrypted for this key of the browser,
    secret     bytea       not null,                -- and with this secret that it shares with us
    created_at timestamptz not null,
    sent_at    timestamptz,                         -- when a notice last went
    failures   integer     not null default 0       -- notices given up since then
);
create index device_by_player on device (player_id);

-- A notice on its way to a device. Deleted when it has gone or is given up.
create table notice (
    id         bigint      generated always as identity primary key,
    device_id  uuid        not null references device on delete cascade,
    table_id   uuid,                                -- null if it tells of several
    of_turn    boolean     not null,                -- it says that the player is to move, and is no news once they have
    urgent     boolean     not null,
    title      text        not null,
    body       text        not null,
    written_at timestamptz not null,
    send_after timestamptz not null,
    expires_at timestamptz not null,                -- later it is no news
    tries      integer     not null default 0
);
create index notice_to_send on notice (send_after);
create index notice_by_device on notice (device_id);

-- When what a letter tells was told by notices: that is done once.
alter table letter add column noticed_at timestamptz;
