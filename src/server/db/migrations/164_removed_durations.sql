-- Removing a participant of unknown time took one from those of two hours or more: their number is counted
-- again.
update duration_counts as kept set count = (
  select count(*) from responses
  where responses.quiz_id = kept.quiz_id and elapsed_seconds >= 7200
)
where seconds = 7200;
