-- Those that wait are found by their connection; only settled ones are listed by status, so a submission does not pay for it.
drop index deliveries_listed;
create index deliveries_listed on deliveries (quiz_id, status, created_at desc, participant_uuid)
where status <> 'pending';
