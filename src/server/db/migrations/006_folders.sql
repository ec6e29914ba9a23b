-- Folders of a creator's dashboard. They have one level.
create table folders (
  id uuid primary key,
  creator_id uuid not null,
  name text not null,
  created_at timestamptz not null default now()
);
create unique index on folders (creator_id, name);

-- Deleting a folder keeps its quizzes.
alter table quizzes add column folder_id uuid references folders on delete set null;
create index on quizzes (folder_id) where folder_id is not null;

-- Deletes the folders of a deleted account.
create function delete_folders_of_user() returns trigger language plpgsql as $$
begin
  delete from folders where creator_id = old.id;
  return old;
end
$$;
create trigger delete_folders_of_user after delete on users
  for each row execute function delete_folders_of_user();
