-- Confirmation of participants' addresses (docs/decisions/080).

alter table quizzes
  -- True if participants confirm their address by mail before anything is forwarded.
  add column confirms_email boolean not null default false;

drop trigger quiz_access_changed on quizzes;
create trigger quiz_access_changed
after update of slug, opens_at, closes_at, max_responses, closed_text, keeps_page, confirms_email on quizzes for each row
when (
  (old.slug, old.opens_at, old.closes_at, old.max_responses, old.closed_text, old.keeps_page, old.confirms_email)
  is distinct from (
    new.slug, new.opens_at, new.closes_at, new.max_responses, new.closed_text, new.keeps_page, new.confirms_email
  )
)
execute function notify_quiz_change();

alter table responses
  -- State of the confirmation of `email`; null if the participant was not asked.
  add column email_confirmation text
    check (email_confirmation in ('waiting', 'confirmed', 'expired'));

create table confirmation_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  email_confirmation text not null,
  count bigint not null,
  primary key (quiz_id, version, email_confirmation)
);

-- Requests to confirm an address, and the proof of each confirmation. A row lives as long as its response.
create table email_confirmations (
  quiz_id uuid not null,
  participant_uuid uuid not null,
  -- Address that gets the mail, in the canonical form of `responses`.
  email text not null,
  -- Consent text that the participant accepted with the address; null if no text was shown.
  consent_version integer,
  asked_at timestamptz not null,
  -- Reading of `confirmation_clock` from which the days count; null until the first mail has left or was refused.
  waits_since_s bigint,
  reminded_at timestamptz,
  confirmed_at timestamptz,
  expired_at timestamptz,
  primary key (quiz_id, participant_uuid),
  check (confirmed_at is null or expired_at is null)
);
-- Submissions do not write to this index.
create index email_confirmations_waiting on email_confirmations (waits_since_s)
  where waits_since_s is not null and confirmed_at is null and expired_at is null;

-- Seconds that have passed for waiting confirmations. An hourly run adds at most two hours, so that a wrong clock of the
-- database ends nothing early.
create table confirmation_clock (
  id boolean primary key default true check (id),
  elapsed_s bigint not null default 0,
  read_at timestamptz not null
);

-- Deletes the confirmations of deleted responses, after their deliveries.
create function remove_confirmations() returns trigger language plpgsql as $$
begin
  delete from email_confirmations where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from old_rows);
  return null;
end
$$;
create trigger responses_unconfirmed after delete on responses
referencing old table as old_rows for each statement execute function remove_confirmations();

-- 'confirmation': asks participants to confirm their address.
alter table integration_connections
  drop constraint integration_connections_provider_check,
  add constraint integration_connections_provider_check check (
    provider in ('convertkit', 'systemio', 'brevo', 'webhook', 'mail', 'notice', 'confirmation')
  ),
  drop constraint integration_connections_quiz_check,
  add constraint integration_connections_quiz_check
    check ((provider in ('webhook', 'mail', 'notice', 'confirmation')) = (quiz_id is not null)),
  drop constraint integration_connections_secret_check,
  add constraint integration_connections_secret_check check (
    (sealed_secret is null) = (status = 'disconnected' or provider in ('mail', 'notice', 'confirmation'))
  );
drop index integration_connections_mail;
create unique index integration_connections_mail
  on integration_connections (quiz_id, provider) where provider in ('mail', 'notice', 'confirmation');

-- Opens the channel of a quiz that begins to ask for confirmations. The channel stays open when the quiz stops, because
-- participants who were asked stay asked.
create function open_confirmation_channel() returns trigger language plpgsql as $$
begin
  insert into integration_connections (id, user_id, provider, status, quiz_id, enabled_since)
  values (gen_random_uuid(), new.creator_id, 'confirmation', 'active', new.id, clock_timestamp())
  on conflict (quiz_id, provider) where provider in ('mail', 'notice', 'confirmation')
  do update set enabled_since = excluded.enabled_since, updated_at = excluded.enabled_since;
  return null;
end
$$;
create trigger quiz_confirms_email after update of confirms_email on quizzes for each row
when (new.confirms_email and not old.confirms_email) execute function open_confirmation_channel();

create or replace view forwardings as
select integration.quiz_id, integration.provider, connection.id as connection_id,
  integration.enabled_since as since
from quiz_integrations as integration
join quizzes on quizzes.id = integration.quiz_id
join integration_connections as connection
  on connection.user_id = quizzes.creator_id and connection.provider = integration.provider
where integration.enabled and connection.status <> 'disconnected'
union all
select quiz_id, provider, id, coalesce(enabled_since, created_at)
from integration_connections as connection
where quiz_id is not null and status <> 'disconnected' and (
  provider <> 'confirmation' or exists (select from quizzes where quizzes.id = quiz_id and confirms_email)
);

-- 'awaiting_confirmation': waits until the participant confirms the address. 'not_confirmed': the participant did not.
alter table deliveries
  drop constraint deliveries_status_check,
  add constraint deliveries_status_check check (status in (
    'pending', 'delivered', 'suppressed', 'refused', 'no_consent', 'no_email', 'awaiting_confirmation', 'not_confirmed'
  ));
