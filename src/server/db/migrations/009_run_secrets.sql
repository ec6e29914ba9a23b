-- Secrets of runs, and ids that nobody can use again (docs/decisions/070).

-- First 16 bytes of the SHA-256 digest of the secret that the page of the run made; null if it made none. Repeated
-- submissions and the result page without scripts give links only for this secret.
alter table responses add column run_secret_hash bytea;
alter table trial_responses add column run_secret_hash bytea;

-- First 16 bytes of the SHA-256 digest of the id of each deleted participant. Kept as long as the quiz, because a former
-- link would otherwise show the documents of a forged participant with the same id.
create table erased_participants (
  quiz_id uuid not null references quizzes on delete cascade,
  uuid_hash bytea not null,
  primary key (quiz_id, uuid_hash)
);

create function participant_hash(participant_uuid uuid) returns bytea language sql immutable parallel safe
return substring(sha256(uuid_send(participant_uuid)) for 16);

-- Deletes the certificates of deleted responses, and makes their ids unusable. A deleted quiz needs no such rows.
create or replace function remove_certificates() returns trigger language plpgsql as $$
begin
  delete from certificates where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from old_rows);
  insert into erased_participants (quiz_id, uuid_hash)
  select quiz_id, participant_hash(participant_uuid) from old_rows
  where exists (select from quizzes where quizzes.id = old_rows.quiz_id)
  on conflict do nothing;
  return null;
end
$$;

-- Skips a participant whose id was deleted. The trigger reads what other transactions have committed until then, so that
-- a submission that waited for the deletion is skipped too.
create function skip_erased_participant() returns trigger language plpgsql as $$
begin
  if exists (
    select from erased_participants
    where quiz_id = new.quiz_id and uuid_hash = participant_hash(new.participant_uuid)
  ) then
    return null;
  end if;
  return new;
end
$$;
create trigger erased_participants_skipped before insert on responses
for each row execute function skip_erased_participant();
