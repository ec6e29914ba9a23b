-- Deliveries are locked in the order of their key, as where they are settled; a try that was settled until then is forgotten
-- with the others.
create or replace function remove_deliveries() returns trigger language plpgsql as $$
begin
  perform from deliveries where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from stale)
  order by quiz_id, participant_uuid, connection_id for update;
  delete from delivery_attempts where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from stale);
  delete from deliveries where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from stale);
  return null;
end
$$;

-- A count of nothing that another transaction has locked is about to be of something.
create or replace function count_removed_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts as kept (quiz_id, connection_id, provider, status, count)
  select quiz_id, connection_id, provider, status, -count(*) from stale
  group by 1, 2, 3, 4 order by 1, 2, 4
  on conflict (quiz_id, connection_id, status) do update set count = kept.count + excluded.count;
  delete from delivery_counts where (quiz_id, connection_id, status) in (
    select quiz_id, connection_id, status from delivery_counts
    where count = 0 and quiz_id in (select quiz_id from stale)
    for update skip locked
  );
  return null;
end
$$;
