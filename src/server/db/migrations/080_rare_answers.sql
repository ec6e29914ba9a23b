-- Who gave an answer that few gave, so that they are found without looking through everybody. Filled
-- behind the visitors' backs, in the order that participants came, for quizzes that many took.
create table rare_answers (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  -- Rank among the version's multiple-choice questions, from 1.
  rank smallint not null,
  answer_position smallint not null,
  participant_uuid uuid not null,
  primary key (quiz_id, version, rank, answer_position, participant_uuid)
);

-- Everybody who came before this moment has been looked at.
create table rare_answer_marks (
  quiz_id uuid primary key references quizzes on delete cascade,
  looked_until timestamptz not null
);
