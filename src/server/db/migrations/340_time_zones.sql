-- The time zone in which a creator sees dates and days; Europe/Paris without a row. Accounts may be kept elsewhere, so
-- that a row refers to none.
create table creator_settings (
  user_id uuid primary key,
  time_zone text not null
);

-- Participants of each quarter of an hour in UTC: days of every time zone begin at the end of one, so that a change of
-- zone leaves nothing to recount.
create table quarter_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  quarter timestamptz not null,
  count bigint not null,
  primary key (quiz_id, version, quarter)
);
insert into quarter_counts
select quiz_id, version, date_bin('15 minutes', created_at, '2000-01-01T00:00Z'), count(*)
from responses group by 1, 2, 3;
drop table day_counts;

-- Visits were counted by days of Paris: they are placed at noon of Paris, which is the same day in almost every zone.
alter table visit_counts alter column day type timestamptz
  using (day + time '12:00') at time zone 'Europe/Paris';
alter table visit_counts rename column day to quarter;

create or replace function forget_integrations() returns trigger language plpgsql as $$
begin
  delete from integration_connections where user_id = old.id;
  delete from integration_states where user_id = old.id;
  delete from mail_refusals where user_id = old.id;
  delete from mail_digests where user_id = old.id;
  delete from creator_settings where user_id = old.id;
  return old;
end
$$;
