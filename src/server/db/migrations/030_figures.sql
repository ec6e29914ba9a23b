-- What the statistics screen counts beside answers and texts, kept by whatever stores or deletes a participant.

-- Points of the chosen answers; null unless the version is a quiz by score.
alter table responses add column score integer;

create table result_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  result_position smallint not null,
  count bigint not null,
  primary key (quiz_id, version, result_position)
);

create table score_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  score integer not null,
  count bigint not null,
  primary key (quiz_id, score)
);

-- Days are those of Paris.
create table day_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  day date not null,
  count bigint not null,
  primary key (quiz_id, day)
);

-- Finds a person by their address, or by its beginning.
create index responses_by_email on responses (quiz_id, lower(email) text_pattern_ops)
  where email is not null;

-- Participants who came before.
with choice_questions as (
  select quiz_id, version, question, row_number() over (
    partition by quiz_id, version order by ordinality
  ) as rank
  from quiz_versions, jsonb_array_elements(snapshot -> 'questions')
    with ordinality as listed(question, ordinality)
  where question ->> 'type' = 'multiple_choice'
), scored as (
  select responses.quiz_id, participant_uuid,
    coalesce(sum((question -> 'answers' -> choices[rank]::integer ->> 'score')::integer), 0) as score
  from responses
  join quiz_versions using (quiz_id, version)
  left join choice_questions using (quiz_id, version)
  where snapshot -> 'quiz' ->> 'type' = 'quiz' and snapshot ->> 'quiz_mode' = 'score'
  group by 1, 2
)
update responses set score = scored.score from scored
where responses.quiz_id = scored.quiz_id and responses.participant_uuid = scored.participant_uuid;

insert into result_counts
select quiz_id, version, result_position, count(*) from responses
where result_position is not null group by 1, 2, 3;

insert into score_counts
select quiz_id, score, count(*) from responses where score is not null group by 1, 2;

insert into day_counts
select quiz_id, (created_at at time zone 'Europe/Paris')::date, count(*) from responses group by 1, 2;

-- The questions of each version, with their rank among those that take a choice, or a text, from 1.
create view version_questions as
select quiz_id, version, (question ->> 'id')::uuid as question_id,
  question ->> 'type' = 'multiple_choice' as is_choice,
  (question ->> 'position')::smallint as question_position,
  row_number() over (
    partition by quiz_id, version, question ->> 'type' = 'multiple_choice' order by ordinality
  ) as rank
from quiz_versions, jsonb_array_elements(snapshot -> 'questions')
  with ordinality as listed(question, ordinality);
