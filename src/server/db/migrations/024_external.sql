-- Sign-ins that went to another provider and have not come back yet. The id is the state that they carry.
create table oauth_states (
  id uuid primary key,
  provider text not null,
  -- Where it leads in the end, and the challenge that the client began with.
  redirect_to text not null,
  code_challenge text,
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  -- What this server shows the provider, which only answers whoever knows them.
  code_verifier text not null,
  nonce text not null,
  -- The account that asked to be linked.
  linking_user_id uuid references users on delete cascade,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index on oauth_states (created_at);
create index on oauth_states (linking_user_id);
