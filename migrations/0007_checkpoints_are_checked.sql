-- A checkpoint is believed only with a digest over its state and the event that it stands after. It is a cache: those
-- without one are written again when they are needed.
delete from checkpoint;
alter table checkpoint add column digest bytea not null;
