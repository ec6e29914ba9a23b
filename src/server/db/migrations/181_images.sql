-- Pictures of creators. creator_id has no foreign key: the account may live in a hosted auth service.
create table images (
  id uuid primary key,
  creator_id uuid not null,
  width integer not null,
  height integer not null,
  color text not null,
  -- Of all its files.
  bytes integer not null,
  created_at timestamptz not null default now(),
  -- When it was last brought into a draft, or found in one or in a version.
  used_at timestamptz not null default now()
);
create index on images (creator_id);
create index on images (used_at);

create table image_files (
  image_id uuid not null references images on delete cascade,
  size integer not null,
  data bytea not null,
  primary key (image_id, size)
);
-- WebP is not compressed a second time.
alter table image_files alter column data set storage external;

-- Those that a version shows, written with it.
alter table quiz_versions add column image_ids uuid[] not null default '{}';

-- By which an unused picture is found.
create index on quizzes (welcome_image_id) where welcome_image_id is not null;
create index on quizzes (logo_image_id) where logo_image_id is not null;
create index on quizzes (background_image_id) where background_image_id is not null;
create index on results (image_id) where image_id is not null;
create index on questions (image_id) where image_id is not null;
create index on answers (image_id) where image_id is not null;
create index on quiz_versions using gin (image_ids) where image_ids <> '{}';

-- Whatever deletes an account takes its pictures along.
create function forget_images() returns trigger language plpgsql as $$
begin
  delete from images where creator_id = old.id;
  return old;
end
$$;
create trigger forget_images after delete on users
  for each row execute function forget_images();
