-- One time zone for each player, for waking hours, letters and days off alike; null until it is known. What was said with the waking hours
-- counts before what was said with the letters, as it always did for days off.
alter table player add column zone text;
update player set zone = coalesce(waking ->> 'zone', nullif(letters ->> 'zone', 'UTC'));
update player set letters = jsonb_set(letters::jsonb, '{zone}', to_jsonb(zone))::json
where zone is not null and letters ->> 'zone' is distinct from zone;
