alter table integration_states
  -- The creator has been told that another account may take the place of theirs, and agreed.
  add column may_replace boolean not null default false,
  -- How the way back ended, for a page that is loaded again.
  add column outcome text;
