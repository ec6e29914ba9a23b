-- Each quiz by its own id: joined to all that went, most participants being of one quiz, every participant
-- of every quiz was looked through.
create or replace function remove_participants() returns trigger language plpgsql as $$
declare
  gone uuid;
begin
  for gone in select id from stale loop
    delete from responses where quiz_id = gone;
    delete from text_counts where quiz_id = gone;
  end loop;
  return null;
end
$$;
