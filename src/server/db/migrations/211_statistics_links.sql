-- The link by which a creator shows the figures of a quiz, one at a time: a hash finds it, the sealed token lets its
-- creator copy it again.
create table statistics_links (
  quiz_id uuid primary key references quizzes on delete cascade,
  token_hash bytea not null unique,
  sealed_token bytea not null,
  created_at timestamptz not null default now(),
  opened_on date
);
