-- When the next call may begin is in delivery_lanes, for every kind of connection.
alter table integration_connections drop column next_slot_at;
