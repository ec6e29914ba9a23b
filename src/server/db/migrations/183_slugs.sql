-- Every address that a quiz ever had beside the one made of its id: an old one keeps leading to it, and none is
-- another quiz's as long as it exists.
create table quiz_slugs (
  slug text primary key,
  quiz_id uuid not null references quizzes on delete cascade
);
create index quiz_slugs_of_quiz on quiz_slugs (quiz_id);

create trigger quiz_access_changed
after update of slug, closes_at, max_responses, closed_text on quizzes for each row
when (
  (old.slug, old.closes_at, old.max_responses, old.closed_text)
  is distinct from (new.slug, new.closes_at, new.max_responses, new.closed_text)
)
execute function notify_quiz_change();
