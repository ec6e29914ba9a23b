-- New quizzes forward whoever gives an address; the box is their creator's choice. Quizzes that exist keep
-- what they have.
alter table quizzes alter column consent_mode set default 'requested';

-- When a tool was first switched on for a quiz: the screen asks about consent before the first of them.
alter table quiz_integrations add column first_enabled_at timestamptz;
update quiz_integrations as forwarded set first_enabled_at = coalesce(enabled_since, now())
where enabled or exists (
  select from delivery_counts as kept
  where kept.quiz_id = forwarded.quiz_id and kept.provider = forwarded.provider
);

create or replace function note_enabling() returns trigger language plpgsql as $$
begin
  if not new.enabled then
    new.enabled_since := null;
  elsif tg_op = 'INSERT' or not old.enabled then
    new.enabled_since := clock_timestamp();
    new.first_enabled_at := coalesce(new.first_enabled_at, new.enabled_since);
  end if;
  return new;
end
$$;
