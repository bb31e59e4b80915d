-- Requests of the API that carry an Idempotency-Key, and what they were answered: sent once more they get the same, and nothing is done.

create table idempotent_request (
    player_id uuid not null references player (id) on delete cascade,
    -- SHA-256 of the key, and of method, address and body.
    key_digest bytea not null,
    request_digest bytea not null,
    claimed_at timestamptz not null default now(),
    -- The answer; none while the request is being carried out.
    status smallint,
    content_type text,
    -- None for an answer that is not kept because it holds a secret.
    body bytea,
    primary key (player_id, key_digest)
);

create index idempotent_request_claimed_at on idempotent_request (claimed_at);
