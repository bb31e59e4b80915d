-- Letters that ask whether a move may be taken back are new. Whoever wants no letters about their turn wants none of these either.
update player
set letters = jsonb_set(letters::jsonb, '{off}', letters::jsonb -> 'off' || '["take-back"]')::json
where letters::jsonb -> 'off' @> '["turn"]';
