-- Since when a connection may lead to another account of the tool than before: ids of contacts that were got before it
-- are of that one.
alter table integration_connections add column account_since timestamptz;
