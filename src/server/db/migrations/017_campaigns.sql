-- Campaigns: people who are invited to a questionnaire, each with a link of their own (docs/decisions/083).

create table campaigns (
  quiz_id uuid not null references all_quizzes on delete cascade,
  id uuid not null,
  name text not null,
  -- True if no reply can be joined to its person. Never changes.
  is_anonymous boolean not null,
  invitation_subject text not null,
  invitation_text text not null,
  reminder_subject text not null,
  reminder_text text not null,
  -- Days of the reminders after the invitation of a person, ascending.
  reminder_days smallint[] not null default '{}',
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- 'paused': sends nothing. 'ended': neither sends nor takes replies.
  status text not null default 'running' check (status in ('running', 'paused', 'ended')),
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  -- Waiting replies of an anonymous campaign as JSON, encrypted with a key of SECRET_KEY. Deleted at the end.
  sealed_replies bytea,
  -- Replies of an anonymous campaign that were deleted at its end, because there were fewer than five.
  nb_deleted_replies smallint not null default 0,
  primary key (quiz_id, id),
  check ((status = 'ended') = (ended_at is not null)),
  check (sealed_replies is null or is_anonymous)
);
-- Campaigns that the worker looks into.
create index campaigns_running on campaigns (quiz_id, id) where status = 'running';
create index campaigns_open on campaigns (ends_at) where status <> 'ended';

create table invitations (
  quiz_id uuid not null references all_quizzes on delete cascade,
  -- Random, so that it tells neither time nor order.
  id uuid not null,
  campaign_id uuid not null,
  email text not null,
  -- Digest of the mailbox, as in `mail_unsubscribes`.
  mailbox_hash bytea not null,
  first_name text,
  last_name text,
  group_name text,
  -- SHA-256 digest of the token of the link.
  token_hash bytea not null,
  -- In anonymous campaigns, the start of the day (UTC), as in the two columns after it.
  opened_at timestamptz,
  started_at timestamptz,
  replied_at timestamptz,
  refused_at timestamptz,
  -- 'declined': asked for no mail of this campaign. 'unsubscribed': wants no mails of the creator.
  refusal text check (refusal in ('declined', 'unsubscribed')),
  -- Reason why no mail reaches the address.
  failed_code text,
  state text not null generated always as (
    case
      when replied_at is not null then 'replied'
      when refused_at is not null then 'refused'
      when failed_code is not null then 'failed'
      when started_at is not null then 'started'
      when opened_at is not null then 'opened'
      else 'invited'
    end
  ) stored,
  -- Response of the person; null in anonymous campaigns.
  participant_uuid uuid,
  -- Digest of the secret of the run that replied, in anonymous campaigns until their end. No response has it.
  run_secret_hash bytea,
  -- Replies of an unfinished run as JSON, encrypted; null in anonymous campaigns.
  sealed_progress bytea,
  -- Next mail: 0 for the invitation, then the number of the reminder. Null: no mail is left.
  step smallint not null default 0,
  next_attempt_at timestamptz,
  -- Times of the sent mails by step; null for a mail that was skipped.
  sent_at timestamptz[] not null default '{}',
  -- Deadline of the next mail, from its first failed attempt.
  give_up_at timestamptz,
  attempts smallint not null default 0,
  lease_id uuid,
  lease_until timestamptz,
  last_code text,
  -- True when the next mail is counted in the daily limits, and when the mail server has accepted it.
  is_counted boolean not null default false,
  is_mailed boolean not null default false,
  primary key (quiz_id, id),
  check ((refused_at is null) = (refusal is null)),
  -- Times are whole days where they could tell whose reply is whose.
  check (run_secret_hash is null or participant_uuid is null)
);
create unique index invitations_mailbox on invitations (quiz_id, campaign_id, mailbox_hash);
create unique index invitations_token on invitations (quiz_id, token_hash);
create index invitations_listed on invitations (quiz_id, campaign_id, state, id);
create index invitations_due on invitations (quiz_id, campaign_id, next_attempt_at)
  where next_attempt_at is not null;
-- Index of the leases of a worker, and of the mailboxes that refuse mails.
create index invitations_leased on invitations (lease_id) where lease_id is not null;
create index invitations_by_mailbox on invitations (mailbox_hash);
-- Indexes for the requests of a person (data, erasure), and for the deletion of a reply.
create index invitations_by_email on invitations (lower(email));
create index invitations_by_participant on invitations (quiz_id, participant_uuid) where participant_uuid is not null;

alter table responses
  -- Campaign of the invitation with which the participant replied.
  add column campaign_id uuid,
  -- Group of the person, in anonymous campaigns only if at least five replies of the group are shown together.
  add column group_name text,
  -- True for a reply of an anonymous campaign. Such replies are never forwarded, also after their campaign is deleted.
  add column is_anonymous boolean not null default false;
create index responses_by_campaign on responses
  (quiz_id, campaign_id, created_at desc, participant_uuid desc) where campaign_id is not null;

create index responses_anonymous on responses (quiz_id) where is_anonymous;

-- Deletes the invitation of a deleted response, because it has name and address of the person. Replies of anonymous
-- campaigns have no invitation.
create function remove_invitations() returns trigger language plpgsql as $$
begin
  delete from invitations where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from old_rows where campaign_id is not null and not is_anonymous);
  return null;
end
$$;
create trigger responses_uninvited after delete on responses
referencing old table as old_rows for each statement execute function remove_invitations();

-- 'invitation': sends the mails of all campaigns of an account.
alter table integration_connections
  drop constraint integration_connections_provider_check,
  add constraint integration_connections_provider_check check (provider in (
    'convertkit', 'systemio', 'brevo', 'webhook', 'mail', 'notice', 'confirmation', 'invitation'
  )),
  drop constraint integration_connections_secret_check,
  add constraint integration_connections_secret_check check (
    (sealed_secret is null) = (status = 'disconnected' or provider in ('mail', 'notice', 'confirmation', 'invitation'))
  );
