-- Which result a quiz by profiles gives where several have the greatest total. `tie_question_id` has no foreign key:
-- the rows of a draft are written and restored in an order of their own, and each save checks that it has the question.
alter table quizzes
  add column tie_rule text not null default 'priority',
  add column tie_question_id uuid;
