-- Of a linking whose client began it with a challenge: what the provider said, linked once the code is exchanged.
alter table flow_states add column linking_profile jsonb;
