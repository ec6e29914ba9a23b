-- How a question is asked and where an answer leads (src/domain/quiz.ts).
alter table questions
  add column help text,
  add column is_required boolean not null default true,
  add column max_choices smallint default 1,
  add column has_other boolean not null default false,
  add column shuffles_answers boolean not null default false,
  add column scale_min smallint not null default 0,
  add column scale_max smallint not null default 10,
  add column scale_min_label text,
  add column scale_max_label text,
  add column counts_in_score boolean not null default false;

alter table answers add column jump_to smallint;

alter table questions
  drop constraint questions_type_check,
  add constraint questions_type_check check (
    type in ('multiple_choice', 'text', 'textarea', 'email', 'phone', 'number', 'scale', 'date')
  );

-- What the numbers and texts of a version's responses stand for, frozen with it (src/domain/stored-replies.ts).
alter table quiz_versions
  add column choice_questions smallint[] not null default '{}',
  add column text_questions uuid[] not null default '{}';

update quiz_versions set
  choice_questions = array(
    select (question ->> 'position')::smallint
    from jsonb_array_elements(snapshot -> 'questions') with ordinality as listed(question, rank)
    where question ->> 'type' = 'multiple_choice' order by rank
  ),
  text_questions = array(
    select (question ->> 'id')::uuid
    from jsonb_array_elements(snapshot -> 'questions') with ordinality as listed(question, rank)
    where question ->> 'type' <> 'multiple_choice' order by rank
  );

-- A row for every number and every text of a version's responses, with its rank among those, from 1; a number
-- is of the question of that position, a text of that id.
create or replace view version_questions as
select quiz_id, version, null::uuid as question_id, true as is_choice, question_position, rank
from quiz_versions, unnest(choice_questions) with ordinality as slots(question_position, rank)
union all
select quiz_id, version, question_id, false, null::smallint, rank
from quiz_versions, unnest(text_questions) with ordinality as places(question_id, rank);
