-- Calls for help, and what came of them, are kinds of letters of their own: who wants none about turns wants none of those either.

update player
set letters = jsonb_set(letters::jsonb, '{off}', letters::jsonb -> 'off' || '["call", "sequel"]')::json
where letters::jsonb -> 'off' @> '["turn"]';
