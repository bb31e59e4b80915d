-- A table that plays another one again. There is one of it, as long as it was not cleared away before anybody played.
alter table game_table add column rematch_of uuid references game_table;
create unique index game_table_rematch on game_table (rematch_of) where rematch_of is not null and status <> 'gone';
