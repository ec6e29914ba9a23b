-- How often the draft of a quiz was written: an editor that has not seen the last writing is told so.
alter table quizzes add column revision integer not null default 0;
