-- Chosen addresses of deleted quizzes: for 90 days nobody but the creator of such a quiz may take its address, so that
-- links and QR codes that are still around lead to nobody else's page.
create table former_slugs (
  slug text primary key,
  creator_id uuid not null,
  reserved_until timestamptz not null
);

create function reserve_slugs() returns trigger language plpgsql as $$
begin
  insert into former_slugs (slug, creator_id, reserved_until)
  select slug, old.creator_id, now() + interval '90 days' from quiz_slugs
  where quiz_id = old.id order by slug
  on conflict (slug) do update
    set creator_id = excluded.creator_id, reserved_until = excluded.reserved_until;
  return old;
end $$;

create trigger quiz_slugs_reserved before delete on quizzes for each row execute function reserve_slugs();
