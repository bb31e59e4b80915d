-- Lists that anybody may ask for are found by an index, however many tables there are: the archive of one game, and the tables that anybody
-- may join. A move touches neither, because games end and begin but once.
create index game_table_over_by_game on game_table (game, over_at) where over_at is not null;
create index game_table_to_join on game_table (opened_at) where status = 'open' and not private and seats > 1;
