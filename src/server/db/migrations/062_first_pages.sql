-- The first page of participants under a filter.
create index responses_by_result on responses
  (quiz_id, result_position, created_at desc, participant_uuid desc)
  where result_position is not null;

-- An address by its domain, or by the last word before the @: « dupont » of anne.dupont@exemple.fr.
create index responses_by_domain on responses
  (quiz_id, split_part(lower(email), '@', 2) text_pattern_ops) where email is not null;
create index responses_by_last_word on responses
  (quiz_id, substring(lower(email) from '^[^@]*[._+-]([^@._+-]+@.*)$') text_pattern_ops)
  where email is not null
    and substring(lower(email) from '^[^@]*[._+-]([^@._+-]+@.*)$') is not null;

-- Participants that went: with the participants that are, it names one state of a version's participants.
alter table quiz_versions add column nb_removed bigint not null default 0;
