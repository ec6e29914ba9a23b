-- The mails of a day that creators were sent, or had nothing to be told by: whoever writes the row sends the mail. `until` is
-- where the next one begins. user_id has no foreign key: the account may live in a hosted auth service.
create table mail_digests (
  user_id uuid not null,
  day date not null,
  until timestamptz not null,
  primary key (user_id, day)
);

create or replace function forget_integrations() returns trigger language plpgsql as $$
begin
  delete from integration_connections where user_id = old.id;
  delete from integration_states where user_id = old.id;
  delete from mail_refusals where user_id = old.id;
  delete from mail_digests where user_id = old.id;
  return old;
end
$$;
