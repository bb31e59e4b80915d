-- What a check of health writes, to see whether anything can be written.
create table heartbeat (
    id boolean primary key default true check (id),
    at timestamptz not null
);

-- Writes some hundred kilobytes into a file that is gone at once: fails if the disk is full, where a row that is there already could still be changed.
create function room_on_disk() returns bigint
    language sql volatile
    set work_mem = '64kB'
    as $$ select count(*) from generate_series(1, 20000) $$;
