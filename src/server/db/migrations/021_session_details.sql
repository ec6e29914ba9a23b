-- Which browser a session belongs to, in its own words, for its owner to know it again.
alter table sessions add column user_agent text;
