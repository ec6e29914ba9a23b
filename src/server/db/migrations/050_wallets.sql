-- Messages of wallets that have signed somebody in: each does so once. Only their SHA-256 is kept, for longer
-- than a message is good for.
create table web3_messages (
  message_hash bytea primary key,
  created_at timestamptz not null default now()
);
create index on web3_messages (created_at);
