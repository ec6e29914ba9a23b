-- Second consent: participants agree that openings of mails and clicks are measured (docs/decisions/086).

alter table all_quizzes
  -- True if the public page has the box while the quiz forwards participants or mails them.
  add column measure_consent boolean not null default false,
  -- Null: the default text.
  add column measure_text text;

drop trigger quiz_consent_changed on all_quizzes;
create trigger quiz_consent_changed
after update of consent_mode, consent_text, measure_consent, measure_text on all_quizzes for each row
when (
  (old.consent_mode, old.consent_text, old.measure_consent, old.measure_text)
  is distinct from (new.consent_mode, new.consent_text, new.measure_consent, new.measure_text)
)
execute function notify_quiz_change();

-- Wordings of both boxes, each numbered on its own.
alter table consent_texts
  add column kind text not null default 'forwarding' check (kind in ('forwarding', 'measure')),
  drop constraint consent_texts_pkey,
  drop constraint consent_texts_quiz_id_text_key,
  add primary key (quiz_id, kind, version),
  add unique (quiz_id, kind, text);

alter table responses
  -- Accepted wording of the kind 'measure'; 0: asked and declined, or withdrawn; null: not asked.
  add column measure_version integer,
  -- Time at which the participant withdrew this consent, and the wording accepted before.
  add column measure_withdrawn_at timestamptz,
  add column withdrawn_measure_version integer;
alter table trial_responses add column measure_version integer;

alter table page_actions drop constraint page_actions_kind_check,
  add check (kind in ('erased', 'withdrawn', 'measure_withdrawn'));
alter table field_mappings drop constraint field_mappings_source_check,
  add check (source in ('question', 'score', 'result', 'dimension', 'own_page', 'measure', 'measure_day'));
