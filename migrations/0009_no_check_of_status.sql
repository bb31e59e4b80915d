-- The house writes the state of a table and can rebuild it from the events; checking it at each move made the server read and plan
-- the condition anew each time.
alter table game_table drop constraint if exists game_table_status_check;
