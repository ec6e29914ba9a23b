-- A connection is where participants are sent: a creator's account at an email tool, or a webhook of one quiz.
alter table integration_connections
  drop constraint integration_connections_provider_check,
  drop constraint integration_connections_status_check,
  drop constraint integration_connections_user_id_provider_key,
  -- Of a webhook alone: whose participants it gets.
  add column quiz_id uuid references quizzes on delete cascade,
  add constraint integration_connections_provider_check
    check (provider in ('convertkit', 'systemio', 'brevo', 'webhook')),
  -- paused: its creator wants nothing sent for now; what comes meanwhile waits.
  add constraint integration_connections_status_check
    check (status in ('active', 'needs_attention', 'paused', 'disconnected')),
  add constraint integration_connections_quiz_check
    check ((provider = 'webhook') = (quiz_id is not null));
create unique index integration_connections_account
  on integration_connections (user_id, provider) where quiz_id is null;
create index integration_connections_user on integration_connections (user_id, provider);
create index integration_connections_quiz on integration_connections (quiz_id)
  where quiz_id is not null;

-- The address of a webhook; its secret is sealed in its connection. A webhook that was removed keeps both
-- rows, without a secret, for as long as its quiz has deliveries that went there.
create table webhooks (
  connection_id uuid primary key references integration_connections on delete cascade,
  url text not null,
  -- The secret that signs too until then, after a rotation.
  sealed_previous bytea,
  previous_until timestamptz,
  check ((sealed_previous is null) = (previous_until is null))
);

-- Deliveries are known by their connection: a quiz may have several webhooks.
alter table deliveries drop constraint deliveries_pkey,
  add primary key (quiz_id, participant_uuid, connection_id);

alter table delivery_attempts add column connection_id uuid;
update delivery_attempts as tried set connection_id = one.connection_id from deliveries as one
where (one.quiz_id, one.participant_uuid, one.provider)
  = (tried.quiz_id, tried.participant_uuid, tried.provider);
delete from delivery_attempts where connection_id is null;
alter table delivery_attempts drop constraint delivery_attempts_pkey, drop column provider,
  add primary key (quiz_id, participant_uuid, connection_id, at);

delete from delivery_counts;
alter table delivery_counts drop constraint delivery_counts_pkey,
  add column connection_id uuid not null,
  add primary key (quiz_id, connection_id, status);
insert into delivery_counts (quiz_id, connection_id, provider, status, count)
select quiz_id, connection_id, provider, status, count(*) from deliveries group by 1, 2, 3, 4;

alter table delivery_checks add column connection_id uuid;
update delivery_checks as checked set connection_id = connected.id
from quizzes join integration_connections as connected on connected.user_id = quizzes.creator_id
where quizzes.id = checked.quiz_id and connected.provider = checked.provider;
delete from delivery_checks where connection_id is null;
alter table delivery_checks drop constraint delivery_checks_pkey, drop column provider,
  add primary key (quiz_id, connection_id);

create or replace function count_new_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts as kept (quiz_id, connection_id, provider, status, count)
  select quiz_id, connection_id, provider, status, count(*) from fresh
  group by 1, 2, 3, 4 order by 1, 2, 4
  on conflict (quiz_id, connection_id, status) do update set count = kept.count + excluded.count;
  return null;
end
$$;

create or replace function count_changed_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts as kept (quiz_id, connection_id, provider, status, count)
  select quiz_id, connection_id, provider, status, sum(change)
  from (
    select quiz_id, connection_id, provider, status, 1 as change from fresh
    union all
    select quiz_id, connection_id, provider, status, -1 from stale
  ) as moved
  group by 1, 2, 3, 4 having sum(change) <> 0 order by 1, 2, 4
  on conflict (quiz_id, connection_id, status) do update set count = kept.count + excluded.count;
  return null;
end
$$;

create or replace function count_removed_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts as kept (quiz_id, connection_id, provider, status, count)
  select quiz_id, connection_id, provider, status, -count(*) from stale
  group by 1, 2, 3, 4 order by 1, 2, 4
  on conflict (quiz_id, connection_id, status) do update set count = kept.count + excluded.count;
  delete from delivery_counts where count = 0 and quiz_id in (select quiz_id from stale);
  return null;
end
$$;

-- Where each quiz sends its participants now, and those that came since when it does so without a break.
create view forwardings as
select forwarded.quiz_id, forwarded.provider, connected.id as connection_id,
  forwarded.enabled_since as since
from quiz_integrations as forwarded
join quizzes on quizzes.id = forwarded.quiz_id
join integration_connections as connected
  on connected.user_id = quizzes.creator_id and connected.provider = forwarded.provider
where forwarded.enabled and connected.status <> 'disconnected'
union all
select quiz_id, provider, id, created_at
from integration_connections
where quiz_id is not null and status <> 'disconnected';
