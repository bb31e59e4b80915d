-- The picture of a letter, kept only where no mail server is set up: a PNG.
alter table letter add column picture bytea;
