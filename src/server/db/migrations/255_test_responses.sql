-- What was answered in test runs: counted nowhere and sent nowhere. A quiz keeps its newest fifty, for thirty days.
create table test_responses (
  quiz_id uuid not null references quizzes on delete cascade,
  id uuid not null,
  version integer not null,
  created_at timestamptz not null default clock_timestamp(),
  email text,
  result_position smallint,
  score integer,
  -- As those of `responses`.
  choices smallint[] not null,
  texts text[] not null,
  elapsed_seconds integer,
  consent_version integer,
  primary key (quiz_id, id)
);
create index on test_responses (created_at);
