-- What is asked of tools and told to webhooks of a person who was erased here: it outlives the participant, whose
-- deliveries leave with them, and goes through the outbox as those do. There are few, each asked for by hand.
create table erasures (
  id uuid primary key,
  user_id uuid not null,
  connection_id uuid not null references integration_connections on delete cascade,
  provider text not null,
  -- event: a webhook that got the participant is told.
  kind text not null check (kind in ('delete', 'unsubscribe', 'event')),
  -- The quizzes that the person was erased from, whose ledger shows it.
  quiz_ids uuid[] not null,
  -- Whose erasure it is, as JSON: an address, or of an event a participant; sealed for this row alone, wiped once
  -- it is done, and in any case after thirty days.
  sealed_person bytea,
  -- Raised by each rotation of SECRET_KEY; the seal covers it.
  key_version integer not null default 1,
  -- The tool's own id of the contact, wiped likewise.
  vendor_contact_id text,
  status text not null default 'pending' check (status in ('pending', 'done', 'refused')),
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz,
  -- Only while nothing is wrong with the connection does this time pass.
  give_up_at timestamptz not null,
  attempts smallint not null default 0,
  lease_id uuid,
  lease_until timestamptz,
  -- What the other side answered: a word for machines.
  last_code text,
  settled_at timestamptz,
  check ((kind = 'event') = (provider = 'webhook')),
  check (status <> 'pending' or (sealed_person is not null and next_attempt_at is not null)),
  check (status <> 'done' or (sealed_person is null and vendor_contact_id is null))
);
create index erasures_due on erasures (connection_id, next_attempt_at) where status = 'pending';
create index erasures_listed on erasures (user_id, created_at desc, id);
create index on erasures (connection_id);
