-- The parameters of the address that a test run began at, as those of a participant.
alter table test_responses add column parameters jsonb;
