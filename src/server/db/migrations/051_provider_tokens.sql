-- What a provider gave for calls to itself, sealed under a key that is not in here, until the code is exchanged.
alter table flow_states add column sealed_provider_tokens bytea;
