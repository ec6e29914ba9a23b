-- Wrong passwords and codes of an account in the hour that began with the first of them, whatever
-- networks they come from. The scope is an HMAC: of an account or an address, of one of the account's
-- known networks, or of one of its sessions.
create table recent_attempts (
  scope bytea primary key,
  attempts integer not null,
  began_at timestamptz not null default now()
);
create index on recent_attempts (began_at);

-- Networks that an account was signed in from, each as an HMAC with the account's id. An attack on the
-- account from elsewhere does not use up what they are allowed.
create table known_networks (
  user_id uuid not null references users on delete cascade,
  network_hash bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, network_hash)
);
create index on known_networks (seen_at);
