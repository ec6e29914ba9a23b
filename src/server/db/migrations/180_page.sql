-- What the public page has beside its questions: welcome, end, look, pictures and where they lead. Null, or the
-- default, is « as before ». `image_id` has no foreign key: a save checks that the picture is its creator's, and
-- an unused picture goes later.
alter table quizzes
  add column welcome_title text,
  add column welcome_text text,
  add column welcome_button text,
  add column welcome_image_id uuid,
  add column welcome_image_alt text,
  add column end_title text,
  add column end_text text,
  add column end_button_text text,
  add column end_button_url text,
  add column shows_detail boolean not null default false,
  add column allows_restart boolean not null default false,
  add column font text not null default 'system',
  add column corners text not null default 'soft',
  add column logo_image_id uuid,
  add column background_image_id uuid,
  add column slug text,
  add column closes_at timestamptz,
  add column max_responses integer,
  add column closed_text text;

alter table results
  add column image_id uuid,
  add column image_alt text,
  add column button_text text,
  add column button_url text,
  add column redirect_url text;

alter table questions
  add column label text,
  add column image_id uuid,
  add column image_alt text;

alter table answers
  add column image_id uuid,
  add column image_alt text;
