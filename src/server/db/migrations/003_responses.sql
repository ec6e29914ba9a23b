-- Everything here grows with visitors: quiz_id leads every key, so that it can be distributed by it.

-- Immutable published versions; only the counter moves.
create table quiz_versions (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  snapshot jsonb not null,
  nb_responses bigint not null default 0,
  published_at timestamptz not null default now(),
  primary key (quiz_id, version)
);

-- choices and texts are the replies as ranks and texts of the version (src/domain/stored-replies.ts).
create table responses (
  quiz_id uuid not null references quizzes on delete cascade,
  participant_uuid uuid not null,
  version integer not null,
  created_at timestamptz not null default clock_timestamp(),
  email text,
  -- Rank of the result in the version's list; null for a sondage.
  result_position smallint,
  choices smallint[] not null,
  texts text[] not null,
  primary key (quiz_id, participant_uuid)
);
create index on responses (quiz_id, created_at desc, participant_uuid desc);

create table choice_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  question_position smallint not null,
  answer_position smallint not null,
  count bigint not null,
  primary key (quiz_id, version, question_position, answer_position)
);

create table text_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  question_id uuid not null,
  -- SHA-256 of the text, which may be too long to be a key itself.
  digest bytea not null,
  text text not null,
  count bigint not null,
  primary key (quiz_id, question_id, digest)
);
create index on text_counts (quiz_id, question_id, count desc);
