-- What the list of quizzes reads of each of them, without looking through days or snapshots.

-- How many visits came to a step of a version, on all days together; kept by whatever writes visit_counts.
create table visit_step_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  step smallint not null,
  count bigint not null,
  primary key (quiz_id, version, step)
);

insert into visit_step_counts
select quiz_id, version, step, sum(count) from visit_counts group by 1, 2, 3;

-- Rows are taken in the order of their key, so that nobody waits in a circle.
create function count_new_visits() returns trigger language plpgsql as $$
begin
  insert into visit_step_counts as kept (quiz_id, version, step, count)
  select quiz_id, version, step, sum(count) from fresh group by 1, 2, 3 order by 1, 2, 3
  on conflict (quiz_id, version, step) do update set count = kept.count + excluded.count;
  return null;
end
$$;
create trigger visits_written after insert on visit_counts
referencing new table as fresh for each statement execute function count_new_visits();

create function count_changed_visits() returns trigger language plpgsql as $$
begin
  with changed as (
    select quiz_id, version, step, sum(change) as change
    from (
      select quiz_id, version, step, count as change from fresh
      union all
      select quiz_id, version, step, -count from stale
    ) as moved
    group by 1, 2, 3
  ), locked as (
    select quiz_id, version, step, change
    from visit_step_counts join changed using (quiz_id, version, step)
    order by 1, 2, 3 for update of visit_step_counts
  )
  update visit_step_counts as kept set count = kept.count + locked.change from locked
  where (kept.quiz_id, kept.version, kept.step) = (locked.quiz_id, locked.version, locked.step);
  return null;
end
$$;
create trigger visits_changed after update on visit_counts
referencing old table as stale new table as fresh for each statement
execute function count_changed_visits();

create function count_removed_visits() returns trigger language plpgsql as $$
begin
  with changed as (
    select quiz_id, version, step, sum(count) as change from stale group by 1, 2, 3
  ), locked as (
    select quiz_id, version, step, change
    from visit_step_counts join changed using (quiz_id, version, step)
    order by 1, 2, 3 for update of visit_step_counts
  )
  update visit_step_counts as kept set count = kept.count - locked.change from locked
  where (kept.quiz_id, kept.version, kept.step) = (locked.quiz_id, locked.version, locked.step);
  return null;
end
$$;
create trigger visits_removed after delete on visit_counts
referencing old table as stale for each statement execute function count_removed_visits();

-- Ids and names of the results of a version, in their order: its snapshot has them too, and is large.
create table version_results (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  results jsonb not null,
  primary key (quiz_id, version)
);

create function named_results(snapshot jsonb) returns jsonb stable language sql
return (
  select coalesce(
    jsonb_agg(jsonb_build_object('id', result -> 'id', 'name', result -> 'name') order by place), '[]'
  )
  from jsonb_array_elements(snapshot -> 'results') with ordinality as listed(result, place)
);

insert into version_results
select quiz_id, version, named_results(snapshot) from quiz_versions;

create function keep_version_results() returns trigger language plpgsql as $$
begin
  insert into version_results
  select quiz_id, version, named_results(snapshot) from fresh order by 1, 2;
  return null;
end
$$;
create trigger version_stored after insert on quiz_versions
referencing new table as fresh for each statement execute function keep_version_results();
