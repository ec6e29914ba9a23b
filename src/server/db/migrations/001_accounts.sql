-- Accounts of the embedded auth service. Names follow the service whose wire it speaks.
create table users (
  id uuid primary key,
  email text not null unique,
  encrypted_password text not null,
  email_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  app_metadata jsonb not null default '{}',
  user_metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table identities (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_id)
);
create index on identities (user_id);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now()
);
create index on sessions (user_id);

-- Which methods a session was signed in with, and when.
create table session_amr (
  session_id uuid not null references sessions on delete cascade,
  method text not null,
  updated_at timestamptz not null default now(),
  primary key (session_id, method)
);

-- Only the SHA-256 of a refresh token is kept. The token that follows another is derived from the
-- other's text, so that a client whose reply was lost can be given the very same one again.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index on refresh_tokens (session_id);
-- A session has one living token at most, whatever races for it.
create unique index on refresh_tokens (session_id) where revoked_at is null;

-- Private keys, each sealed under SECRET_KEY, shared by every process on this database.
create table auth_keys (
  purpose text primary key,
  sealed_jwk bytea not null,
  created_at timestamptz not null default now()
);
