-- Keys to the API that creators made. Of the key itself there is its SHA-256 alone.
create table api_keys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  scope text not null check (scope in ('lecture', 'écriture')),
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  -- To the minute.
  last_used_at timestamptz,
  expires_at timestamptz
);
create index on api_keys (user_id);
