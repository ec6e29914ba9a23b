-- The outbox, which is the ledger too: a row for each participant and each tool that their quiz forwarded
-- to when they came, written with them. It grows with responses: quiz_id leads its key, and it has no
-- foreign key, whose look-ups would be paid at each submission.
create table deliveries (
  quiz_id uuid not null,
  participant_uuid uuid not null,
  provider text not null,
  connection_id uuid not null,
  status text not null check (status in
    ('pending', 'delivered', 'suppressed', 'refused', 'no_consent', 'no_email')),
  -- What the result was called then; null for a sondage.
  result_name text,
  -- When the participant came.
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  -- Only while nothing is wrong with the connection does this time pass.
  give_up_at timestamptz,
  attempts smallint not null default 0,
  -- Who sends it, and until when nobody else does.
  lease_id uuid,
  lease_until timestamptz,
  -- What of it has been done at the tool.
  steps jsonb,
  -- Why it is not sent yet, or was refused: a word for machines.
  last_code text,
  -- A newer result of the same person was there: the address was sent without this one.
  is_replaced boolean not null default false,
  settled_at timestamptz,
  primary key (quiz_id, participant_uuid, provider)
);
create index deliveries_due on deliveries (connection_id, next_attempt_at) where status = 'pending';
create index deliveries_leased on deliveries (connection_id) where lease_id is not null;
create index deliveries_listed on deliveries (quiz_id, status, created_at desc, participant_uuid);

-- Each try, for thirty days; nothing of the person and nothing that a tool answered is in here.
create table delivery_attempts (
  quiz_id uuid not null,
  participant_uuid uuid not null,
  provider text not null,
  at timestamptz not null,
  outcome text not null,
  code text,
  ms integer not null,
  primary key (quiz_id, participant_uuid, provider, at)
);
create index on delivery_attempts using brin (at);

-- How many deliveries of each kind a quiz has; kept by whatever writes deliveries.
create table delivery_counts (
  quiz_id uuid not null,
  provider text not null,
  status text not null,
  count bigint not null,
  primary key (quiz_id, provider, status)
);

-- Rows are taken in the order of their key, all in one statement, so that nobody waits in a circle.
create function count_new_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts as kept (quiz_id, provider, status, count)
  select quiz_id, provider, status, count(*) from fresh group by 1, 2, 3 order by 1, 2, 3
  on conflict (quiz_id, provider, status) do update set count = kept.count + excluded.count;
  return null;
end
$$;
create trigger deliveries_written after insert on deliveries
referencing new table as fresh for each statement execute function count_new_deliveries();

create function count_changed_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts as kept (quiz_id, provider, status, count)
  select quiz_id, provider, status, sum(change)
  from (
    select quiz_id, provider, status, 1 as change from fresh
    union all
    select quiz_id, provider, status, -1 from stale
  ) as moved
  group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
  on conflict (quiz_id, provider, status) do update set count = kept.count + excluded.count;
  return null;
end
$$;
create trigger deliveries_changed after update on deliveries
referencing old table as stale new table as fresh for each statement
execute function count_changed_deliveries();

create function count_removed_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts as kept (quiz_id, provider, status, count)
  select quiz_id, provider, status, -count(*) from stale group by 1, 2, 3 order by 1, 2, 3
  on conflict (quiz_id, provider, status) do update set count = kept.count + excluded.count;
  delete from delivery_counts where count = 0 and quiz_id in (select quiz_id from stale);
  return null;
end
$$;
create trigger deliveries_removed after delete on deliveries
referencing old table as stale for each statement execute function count_removed_deliveries();

-- Whoever deletes participants, by whichever way, deletes what was to be said of them.
create function remove_deliveries() returns trigger language plpgsql as $$
begin
  delete from delivery_attempts where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from stale);
  delete from deliveries where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from stale);
  return null;
end
$$;
create trigger responses_removed after delete on responses
referencing old table as stale for each statement execute function remove_deliveries();

-- The pace of each connection, shared by every worker.
create table delivery_lanes (
  connection_id uuid primary key,
  -- How many calls may begin at once, and when that was so.
  tokens real not null,
  filled_at timestamptz not null,
  -- The tool asked to be left alone until then.
  held_until timestamptz,
  -- Since when the connection cannot be used.
  blocked_since timestamptz,
  served_at timestamptz not null
);

-- When a connection could not be used: deliveries do not grow older meanwhile.
create table delivery_pauses (
  connection_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  primary key (connection_id, since)
);

create function forget_lane() returns trigger language plpgsql as $$
begin
  delete from delivery_lanes where connection_id = old.id;
  delete from delivery_pauses where connection_id = old.id;
  return null;
end
$$;
create trigger connection_removed after delete on integration_connections
for each row execute function forget_lane();

-- What the last count found, for each tool of a quiz.
create table delivery_checks (
  quiz_id uuid not null,
  provider text not null,
  checked_at timestamptz not null,
  nb_checked bigint not null,
  nb_missing bigint not null,
  primary key (quiz_id, provider)
);
