-- A creator's account at an email tool. user_id has no foreign key: the account may live in a hosted auth service.
create table integration_connections (
  id uuid primary key,
  user_id uuid not null,
  provider text not null check (provider in ('convertkit', 'systemio', 'brevo')),
  -- The API key, or both OAuth tokens as JSON; sealed for this row alone, null once disconnected.
  sealed_secret bytea,
  -- Raised by each rotation of SECRET_KEY; the seal covers it.
  key_version integer not null default 1,
  vendor_account_id text,
  vendor_email text,
  status text not null check (status in ('active', 'needs_attention', 'disconnected')),
  -- A word for machines: invalid_key, reconnect, ip_blocked, forbidden, payment_required.
  status_reason text,
  token_expires_at timestamptz,
  -- One process refreshes the tokens at a time.
  refresh_lock_until timestamptz,
  -- Nothing is sent before this moment, and the next call may begin at that one.
  paused_until timestamptz,
  next_slot_at timestamptz,
  -- When the creator was last told by mail that something is wrong.
  notified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, provider),
  check ((status = 'disconnected') = (sealed_secret is null))
);

-- Whether a quiz forwards its participants. `enabled` is what the creator chose, whatever becomes of the connection.
create table quiz_integrations (
  quiz_id uuid not null references quizzes on delete cascade,
  provider text not null check (provider in ('convertkit', 'systemio', 'brevo')),
  enabled boolean not null default false,
  -- How the tool calls the field that the result goes into, as it said itself.
  field_key text,
  provisioned_at timestamptz,
  tag_by_result boolean not null,
  primary key (quiz_id, provider)
);

-- Creators who went to Kit to give their consent and have not come back yet.
create table integration_states (
  state_hash bytea primary key,
  -- Of the cookie that ties the way back to the browser that set out.
  browser_hash bytea not null,
  user_id uuid not null,
  code_verifier text not null,
  -- Where an installation that began at Kit ends.
  return_to text,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index on integration_states (created_at);

-- Whatever deletes an account takes its secrets along.
create function forget_integrations() returns trigger language plpgsql as $$
begin
  delete from integration_connections where user_id = old.id;
  delete from integration_states where user_id = old.id;
  return old;
end
$$;
create trigger forget_integrations after delete on users
  for each row execute function forget_integrations();
create index on integration_states (user_id);
