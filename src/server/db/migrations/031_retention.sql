-- How long the participants of a quiz are kept; no row: for ever. A deletion is announced before it happens.
create table retention (
  quiz_id uuid primary key references quizzes on delete cascade,
  months integer not null check (months in (6, 12, 36)),
  -- Announced: participants before this moment, a midnight of Paris, go once the other has passed.
  before timestamptz,
  due_at timestamptz,
  check ((before is null) = (due_at is null))
);
create index on retention (due_at);
