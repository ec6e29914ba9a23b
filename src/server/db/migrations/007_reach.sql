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
