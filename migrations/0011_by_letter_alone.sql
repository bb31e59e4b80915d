-- What those need who only ever write letters.

-- Half a digest is enough to know an address by, and fits into the address that refuses invitations.
update silent_address set digest = substr(digest, 1, 16);

-- When the holder of a seat last answered a letter: that counts as a visit, but they have not seen what came since.
alter table seat add column replied_at timestamptz;
