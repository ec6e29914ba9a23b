-- Of the cookie that ties the way back to the browser that set out; sign-ins that are under way while this is applied
-- have none, and begin again.
alter table oauth_states add column browser_hash bytea;
