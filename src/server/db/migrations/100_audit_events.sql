-- Who did what to accounts, quizzes and keys, for whoever runs the server (docs/decisions/020).
create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  event text not null check (event ~ '^[a-z_]{1,40}$'),
  outcome text not null default 'ok' check (outcome in ('ok', 'refused', 'failed')),
  actor_id uuid,
  session_id uuid,
  -- A network, never a person's address: /24 of IPv4, /48 of IPv6.
  address cidr,
  object_id text check (length(object_id) <= 100),
  request_id text check (length(request_id) <= 100),
  -- An address is known by its HMAC alone.
  email_hmac text check (length(email_hmac) = 43),
  detail text check (length(detail) <= 100)
);
create index on audit_events (at);

-- What was written stays as it was written, whoever asks; only what is past its time may go.
create function keep_audit_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '12 months' then
    return old;
  end if;
  raise exception 'audit events are neither changed nor removed before their time';
end
$$;
create trigger keep_audit_events before update or delete on audit_events
  for each row execute function keep_audit_events();
create trigger keep_all_audit_events before truncate on audit_events
  for each statement execute function keep_audit_events();
