-- Trash of quizzes (docs/decisions/081). The table becomes `all_quizzes`, and `quizzes` is a view without the trash. The
-- migrator replaces the view after every migration, so that it has the columns of later migrations too.
alter table quizzes rename to all_quizzes;
-- Time at which the creator deleted the quiz, which is deleted for ever thirty days later; null outside the trash.
alter table all_quizzes add column trashed_at timestamptz;
create index all_quizzes_trashed on all_quizzes (creator_id, trashed_at) where trashed_at is not null;
create index all_quizzes_expiring on all_quizzes (trashed_at) where trashed_at is not null;

create view quizzes as select * from all_quizzes where trashed_at is null;

-- The public page disappears and returns with its quiz.
create trigger quiz_trash_changed
after update of trashed_at on all_quizzes for each row
when ((old.trashed_at is null) <> (new.trashed_at is null))
execute function notify_quiz_change();

-- Active destinations of each quiz outside the trash. Responses created since `since` are sent to them.
create or replace view forwardings as
select integration.quiz_id, integration.provider, connection.id as connection_id,
  integration.enabled_since as since
from quiz_integrations as integration
join quizzes on quizzes.id = integration.quiz_id
join integration_connections as connection
  on connection.user_id = quizzes.creator_id and connection.provider = integration.provider
where integration.enabled and connection.status <> 'disconnected'
union all
select quiz_id, provider, connection.id, coalesce(enabled_since, connection.created_at)
from integration_connections as connection join quizzes on quizzes.id = quiz_id
where connection.status <> 'disconnected' and (provider <> 'confirmation' or confirms_email);

-- Restarts `enabled_since` when a tool is connected again, in the trash too, so that a restored quiz sends no participant
-- of the time without the tool.
create or replace function restart_integrations() returns trigger language plpgsql as $$
begin
  if (old.status = 'disconnected') = (new.status = 'disconnected') then
    return null;
  end if;
  update quiz_integrations set enabled_since = clock_timestamp()
  from all_quizzes
  where all_quizzes.id = quiz_integrations.quiz_id and all_quizzes.creator_id = new.user_id
    and quiz_integrations.provider = new.provider and enabled and new.status <> 'disconnected';
  perform pg_notify('quiz_changes', quiz_id::text)
  from quiz_integrations join quizzes on quizzes.id = quiz_id
  where creator_id = new.user_id and provider = new.provider and enabled;
  return null;
end
$$;

-- Deletes the certificates of deleted responses, and makes their ids unusable, in the trash too. A deleted quiz needs no
-- such rows.
create or replace function remove_certificates() returns trigger language plpgsql as $$
begin
  delete from certificates where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from old_rows);
  insert into erased_participants (quiz_id, uuid_hash)
  select quiz_id, participant_hash(participant_uuid) from old_rows
  where exists (select from all_quizzes where all_quizzes.id = old_rows.quiz_id)
  on conflict do nothing;
  return null;
end
$$;
