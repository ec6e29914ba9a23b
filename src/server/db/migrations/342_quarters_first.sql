-- Figures of a period read its quarters of an hour alone, whatever versions there are.
alter table quarter_counts drop constraint quarter_counts_pkey,
  add primary key (quiz_id, quarter, version);
alter table visit_counts drop constraint visit_counts_pkey,
  add primary key (quiz_id, quarter, version, step);
