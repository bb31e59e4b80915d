-- Limits that hold in all processes, sessions that end when they are not used, and confirming that it is you.

-- How often something has happened since when, for one network, browser, player or address.
create table rate_limit (
    what  text        not null,
    key   bytea       not null,  -- a digest of whom or what is counted
    since timestamptz not null,  -- when the window began
    count integer     not null,
    primary key (what, key)
);

-- Networks are counted above.
drop index sign_in_by_network;

-- Letters that confirm that it is still the player who sits there.
alter table sign_in drop constraint sign_in_purpose_check;
alter table sign_in add check (purpose in ('sign-in', 'address', 'identity'));
alter table sign_in add column bearer_digest bytea;  -- of the session or the token that is confirmed

-- When its holder last proved with a letter that it was them; else it counts from when it was made.
alter table session add column confirmed_at timestamptz;
alter table api_token add column confirmed_at timestamptz;

-- Sessions end after 90 days in which nobody came.
update session set expires_at = least(expires_at, now() + interval '90 days');
