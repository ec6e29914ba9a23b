-- An account may have no address (anonymous) and no password (invited, or signed in by mail alone).
alter table users
  alter column email drop not null,
  alter column encrypted_password drop not null,
  add column is_anonymous boolean not null default false,
  add column invited_at timestamptz,
  add column confirmation_sent_at timestamptz,
  add column recovery_sent_at timestamptz,
  add column reauthentication_sent_at timestamptz,
  add column new_email text,
  add column email_change_sent_at timestamptz,
  -- Which of the two addresses of a change has confirmed it so far.
  add column email_change_confirmed_by text
    check (email_change_confirmed_by in ('current', 'new')),
  add column banned_until timestamptz,
  add column deleted_at timestamptz;

-- A sign-in that a client began with a challenge (PKCE) and ends by exchanging a code. Only the
-- SHA-256 of the code is kept.
create table flow_states (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  code_challenge text not null,
  code_challenge_method text not null check (code_challenge_method in ('s256', 'plain')),
  method text not null,
  code_hash bytea unique,
  code_issued_at timestamptz,
  created_at timestamptz not null default now()
);
create index on flow_states (user_id);

-- What a mail lets its reader do, once: a link of 224 random bits and a code of six digits. One a user
-- and type. Of the link the SHA-256 is kept, of the code an HMAC under a key that is not in here.
create table one_time_tokens (
  user_id uuid not null references users on delete cascade,
  type text not null check (type in
    ('confirmation', 'recovery', 'email_change_current', 'email_change_new', 'reauthentication')),
  -- The address that it was sent to.
  relates_to text not null,
  link_hash bytea not null unique,
  code_hash bytea not null,
  wrong_codes smallint not null default 0,
  -- Whoever reads the mail did not choose the account's password.
  drops_password boolean not null default false,
  flow_id uuid references flow_states on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, type)
);
create index on one_time_tokens (relates_to);
create index on one_time_tokens (flow_id);

-- Mails that were asked for and not sent yet. A known address and an unknown one leave the same row,
-- so that the answer to the caller tells nothing; no link and no code is in here.
create table mail_jobs (
  id uuid primary key,
  kind text not null,
  email text not null,
  user_id uuid references users on delete cascade,
  details jsonb not null default '{}',
  tries smallint not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index on mail_jobs (due_at);
create index on mail_jobs (user_id);
