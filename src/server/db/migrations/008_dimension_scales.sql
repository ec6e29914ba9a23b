-- A scale of a dimension makes a quiz a quiz by score, so that publishing does not leave its dimensions out.

update quizzes set quiz_mode = 'score'
where quiz_mode is null and exists (
  select 1 from questions where questions.quiz_id = quizzes.id and type = 'scale' and dimension_id is not null
);
