-- What creators edit. creator_id has no foreign key: the account may live in a hosted auth service.
create table quizzes (
  id uuid primary key,
  creator_id uuid not null,
  name text not null,
  type text not null check (type in ('quiz', 'sondage')),
  status text not null default 'Brouillon' check (status in ('Brouillon', 'Publié')),
  quiz_mode text check (quiz_mode in ('score', 'profils')),
  bg_color text,
  text_color text,
  button_color text,
  button_text_color text,
  accent_color text,
  kit_custom_field text,
  brevo_attribute_name text,
  -- The version visitors take; kept when the quiz is withdrawn.
  published_version integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on quizzes (creator_id, updated_at desc);

create table results (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  name text not null,
  description text,
  priority_order integer not null,
  min_score integer,
  max_score integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on results (quiz_id);

create table questions (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  text text not null,
  type text not null check (type in ('multiple_choice', 'text', 'textarea', 'email', 'phone', 'number')),
  position integer not null,
  global_position integer not null,
  page_number integer not null
);
create index on questions (quiz_id);

create table answers (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  question_id uuid not null references questions on delete cascade,
  text text not null,
  score integer,
  position integer not null
);
create index on answers (quiz_id);
create index on answers (question_id);

create table associations (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  answer_id uuid not null references answers on delete cascade,
  result_id uuid not null references results on delete cascade,
  weight integer not null default 1,
  is_checked boolean not null default false,
  unique (answer_id, result_id)
);
create index on associations (quiz_id);
create index on associations (result_id);

create table text_blocks (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  content text not null,
  global_position integer not null,
  page_number integer not null
);
create index on text_blocks (quiz_id);
