-- Answers in advance: what a player wants said when a decision comes up. Seen by their owner alone; a list without lines overrules what the
-- table was opened with.
create table standing_answer (
    table_id uuid     not null references game_table,
    seat     smallint not null,
    prompt   text     not null,
    lines    text[]   not null,
    once     boolean  not null,   -- each line serves once
    stretch  integer,             -- the bout, round or the like that it is for; null: until it is withdrawn
    trouble  text,                -- why it was dropped
    primary key (table_id, seat, prompt)
);
