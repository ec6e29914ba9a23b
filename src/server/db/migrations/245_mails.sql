-- The mails of a quiz are connections of it as its webhooks are: 'mail' brings participants their result, 'notice' tells the
-- creator of each. They have no secret.
alter table integration_connections
  drop constraint integration_connections_provider_check,
  drop constraint integration_connections_quiz_check,
  drop constraint integration_connections_check,
  -- Of one that was switched on again: who came before is not sent.
  add column enabled_since timestamptz,
  add constraint integration_connections_provider_check
    check (provider in ('convertkit', 'systemio', 'brevo', 'webhook', 'mail', 'notice')),
  add constraint integration_connections_quiz_check
    check ((provider in ('webhook', 'mail', 'notice')) = (quiz_id is not null)),
  add constraint integration_connections_secret_check check (
    (sealed_secret is null) = (status = 'disconnected' or provider in ('mail', 'notice'))
  );
create unique index integration_connections_mail
  on integration_connections (quiz_id, provider) where provider in ('mail', 'notice');

create or replace view forwardings as
select forwarded.quiz_id, forwarded.provider, connected.id as connection_id,
  forwarded.enabled_since as since
from quiz_integrations as forwarded
join quizzes on quizzes.id = forwarded.quiz_id
join integration_connections as connected
  on connected.user_id = quizzes.creator_id and connected.provider = forwarded.provider
where forwarded.enabled and connected.status <> 'disconnected'
union all
select quiz_id, provider, id, coalesce(enabled_since, created_at)
from integration_connections
where quiz_id is not null and status <> 'disconnected';

-- What the mail to participants says, and whether the creator gets one mail a day.
create table quiz_mails (
  quiz_id uuid primary key references quizzes on delete cascade,
  -- Null: the product's own words.
  subject text,
  text text,
  -- Whom the next mail of a day tells of: those who came since.
  daily_since timestamptz
);
create index quiz_mails_daily on quiz_mails (quiz_id) where daily_since is not null;

-- The public page says so while participants get a mail: whatever changes that tells every process.
create function note_mail_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('quiz_changes', new.quiz_id::text);
  return null;
end
$$;
create trigger mail_changed
after insert or update of status on integration_connections for each row
when (new.provider = 'mail') execute function note_mail_change();

-- Whoever does not want mails of a creator: an address by its digest alone, for as long as the account exists.
-- user_id has no foreign key: the account may live in a hosted auth service.
create table mail_refusals (
  user_id uuid not null,
  mailbox bytea not null,
  created_at timestamptz not null default now(),
  primary key (user_id, mailbox)
);

create or replace function forget_integrations() returns trigger language plpgsql as $$
begin
  delete from integration_connections where user_id = old.id;
  delete from integration_states where user_id = old.id;
  delete from mail_refusals where user_id = old.id;
  return old;
end
$$;

-- How many mails a mailbox, a mailbox of one quiz or a creator's participants were sent in a day, by a digest of which.
create table mail_tallies (
  day date not null,
  digest_of bytea not null,
  count integer not null,
  primary key (day, digest_of)
);
