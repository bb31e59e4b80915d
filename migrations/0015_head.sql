-- The digest of a table's last event stands in its row, so that a move is only stored behind the very event that it was decided on. No index is
-- about it, so that rows are still written in place.
alter table game_table add column head bytea;
update game_table set head = event.digest from event where event.table_id = game_table.id and event.seq = game_table.version;

-- A program from before this column may still be running while services are renewed one by one. Where it moves a table on, the column is emptied, and
-- whoever compares looks at the event itself.
create function head_is_unknown() returns trigger language plpgsql as $$
begin
    new.head := null;
    return new;
end $$;
create trigger head_of_older_program before update on game_table
    for each row when (new.version is distinct from old.version and new.head is not distinct from old.head)
    execute function head_is_unknown();

-- A checkpoint names the event that it stands after. One that stands after another event is as good as none. It is a cache: those
-- from before are written again when they are needed.
delete from checkpoint;
alter table checkpoint add column head bytea not null;
create view sound_checkpoint as
    select checkpoint.* from checkpoint join event using (table_id, seq) where event.digest = checkpoint.head;
