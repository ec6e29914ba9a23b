-- Raised whenever its creator gives a connection another secret or address: what was answered to a try that began before is
-- not about those.
alter table integration_connections add column generation integer not null default 1;
