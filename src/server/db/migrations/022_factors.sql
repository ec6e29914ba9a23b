-- Second factors of accounts. `sealed_secret` is the secret of an authenticator application, sealed
-- under a key that is not in here; `credential` the public key of a passkey or a security key.
create table mfa_factors (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  factor_type text not null check (factor_type in ('totp', 'phone', 'webauthn', 'recovery_code')),
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  friendly_name text not null default '',
  sealed_secret bytea,
  phone text,
  credential jsonb,
  -- The period of the last code that was taken: no code is taken twice.
  last_step bigint,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on mfa_factors (user_id);
create unique index mfa_factors_name on mfa_factors (user_id, friendly_name)
  where factor_type <> 'recovery_code';
create unique index on mfa_factors (user_id) where factor_type = 'recovery_code';
create unique index on mfa_factors ((credential ->> 'id'));

create table mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references mfa_factors on delete cascade,
  ip text not null,
  -- What a key must sign.
  webauthn_challenge text,
  -- HMAC of the code that was sent to a phone.
  code_hash bytea,
  wrong_codes smallint not null default 0,
  verified_at timestamptz,
  created_at timestamptz not null default now()
);
create index on mfa_challenges (factor_id);

-- Codes to come in without the factor; of each an HMAC is kept, and each works once.
create table recovery_codes (
  factor_id uuid not null references mfa_factors on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (factor_id, code_hash)
);

-- The factor that a session was raised with.
alter table sessions add column factor_id uuid references mfa_factors on delete set null;
create index on sessions (factor_id);
