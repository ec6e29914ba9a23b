-- Wording and pace of the public page, opening time, and a page for each participant.

alter table quizzes
  -- True if a tap on an answer leads to the next page.
  add column auto_advance boolean not null default false,
  add column address_form text not null default 'vous' check (address_form in ('vous', 'tu')),
  -- Texts of the buttons of the public page; null means the default text.
  add column next_label text,
  add column back_label text,
  add column finish_label text,
  add column continue_label text,
  add column restart_label text,
  add column share_label text,
  add column report_label text,
  add column certificate_label text,
  -- Visitors can answer from this time on; null means at once.
  add column opens_at timestamptz,
  -- True if each participant has a page with their result and their rights.
  add column keeps_page boolean not null default false;

drop trigger quiz_access_changed on quizzes;
create trigger quiz_access_changed
after update of slug, opens_at, closes_at, max_responses, closed_text, keeps_page on quizzes for each row
when (
  (old.slug, old.opens_at, old.closes_at, old.max_responses, old.closed_text, old.keeps_page)
  is distinct from (new.slug, new.opens_at, new.closes_at, new.max_responses, new.closed_text, new.keeps_page)
)
execute function notify_quiz_change();

-- Pages of participants (docs/decisions/060).
alter table quizzes
  -- True if an erasure or a withdrawal on such a page also asks the email tools to delete or unsubscribe the person.
  add column page_erases_contacts boolean not null default false;
alter table responses
  -- Time at which the participant withdrew the consent; null if they did not. `consent_version` is then 0.
  add column consent_withdrawn_at timestamptz,
  -- Consent text that the participant had accepted before; null if no text was accepted.
  add column withdrawn_consent_version integer;
alter table erasures
  -- True if the participant asked for the erasure.
  add column by_participant boolean not null default false;
-- Erasures and withdrawals of consent that participants made on their pages, without personal data.
create table page_actions (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  kind text not null check (kind in ('erased', 'withdrawn')),
  created_at timestamptz not null default now()
);
create index page_actions_listed on page_actions (quiz_id, created_at desc, id);
alter table field_mappings drop constraint field_mappings_source_check,
  add check (source in ('question', 'score', 'result', 'dimension', 'own_page'));
