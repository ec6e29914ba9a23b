-- Participants of each version and day, so that what was visited can be compared with what was finished.
drop table day_counts;
create table day_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  -- Days are those of Paris.
  day date not null,
  count bigint not null,
  primary key (quiz_id, version, day)
);

insert into day_counts
select quiz_id, version, (created_at at time zone 'Europe/Paris')::date, count(*) from responses group by 1, 2, 3;

-- How many visits came to a step of a version: 1 opened it, 2 answered something, then 3 for its second
-- page and so on. Nothing of a visitor: numbers alone.
create table visit_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  day date not null,
  step smallint not null,
  count bigint not null,
  primary key (quiz_id, version, day, step)
);
