-- True if statistics show the net promoter score of a scale from 0 to 10. Existing scales keep their score.
alter table questions add column shows_recommendation boolean not null default true;
