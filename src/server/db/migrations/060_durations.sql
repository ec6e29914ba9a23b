-- How long participants took, a row for each second up to a most (src/domain/durations.ts), kept by whatever
-- stores or deletes a participant.
create table duration_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  seconds integer not null,
  count bigint not null,
  primary key (quiz_id, seconds)
);

insert into duration_counts
select quiz_id, least(elapsed_seconds, 7200), count(*) from responses
where elapsed_seconds is not null group by 1, 2;
