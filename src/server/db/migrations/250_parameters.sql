-- What is stored of the address that a participant opened their quiz at: utm_* and the names that the quiz declares.
alter table quizzes add column parameters text[] not null default '{}';

create trigger quiz_parameters_changed
after update of parameters on quizzes for each row
when (old.parameters is distinct from new.parameters)
execute function notify_quiz_change();

-- Null of whoever came without. pooled_parameters names those whose value is counted among the others, as a quiz has
-- counted as many different ones of that name as it may (src/server/db/counter-families.ts).
alter table responses add column parameters jsonb, add column pooled_parameters text[];

-- Finds the participants of a quiz by a value. What comes is sorted in by parts of 64 kB: one by one it would cost a
-- submission several times as much, and larger parts would hold one of them up.
create index responses_by_parameter on responses
  using gin (jsonb_set('{}', array[quiz_id::text], parameters) jsonb_path_ops)
  with (gin_pending_list_limit = 64) where parameters is not null;

-- The value '' has all those that are not counted one by one.
create table parameter_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  name text collate "C" not null,
  value text collate "C" not null,
  count bigint not null,
  primary key (quiz_id, name, value)
);
