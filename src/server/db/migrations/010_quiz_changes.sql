-- Tells every process, once it is committed, that visitors find something else at a quiz's address.
create function notify_quiz_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('quiz_changes', old.id::text);
  return null;
end
$$;

create trigger quiz_visibility_changed
after update of status, published_version on quizzes for each row
when (
  old.status is distinct from new.status
  or old.published_version is distinct from new.published_version
)
execute function notify_quiz_change();

create trigger quiz_deleted after delete on quizzes for each row execute function notify_quiz_change();
