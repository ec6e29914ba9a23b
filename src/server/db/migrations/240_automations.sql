-- A tag or a list for the participants who get a result, or choose an answer. The ids are those of the draft, which
-- versions keep: there is no foreign key, as a rule holds for participants of older versions when the draft has lost its
-- result or answer.
create table automations (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  provider text not null check (provider in ('convertkit', 'systemio', 'brevo')),
  result_id uuid,
  question_id uuid,
  answer_id uuid,
  label_name text not null check (char_length(label_name) between 1 and 100),
  -- The number of a tag or list that was picked at the tool; null: the one of this name.
  vendor_id text,
  created_at timestamptz not null default now(),
  check ((result_id is null) <> (answer_id is null)),
  check ((question_id is null) = (answer_id is null))
);
create unique index automations_once
  on automations (quiz_id, provider, coalesce(result_id, answer_id), lower(label_name));
