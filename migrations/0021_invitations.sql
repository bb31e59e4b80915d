-- Invitations can be named without their secret, carry a line from the one who invites, and can be withdrawn.
alter table invitation
    add column id    uuid not null default gen_random_uuid(),
    add column words text;
create unique index invitation_by_id on invitation (id);
alter table invitation drop constraint invitation_answer_check;
alter table invitation add check (answer in ('accepted', 'declined', 'withdrawn'));
