-- Grids, right answers, reports and certificates.

-- A question that continues a grid is drawn as a further row of the table that begins with an earlier question of the page.
alter table questions
  add column continues_grid boolean not null default false,
  add column grid_title text,
  add column explanation text,
  add column all_or_nothing boolean not null default false;

alter table answers add column is_correct boolean not null default false;

alter table quizzes
  add column shows_corrections text not null default 'never' check (shows_corrections in ('never', 'page', 'end')),
  add column report text not null default 'none' check (report in ('none', 'result', 'replies')),
  -- Least percent for a certificate; null means that there is none.
  add column certificate_percent smallint check (certificate_percent between 0 and 100),
  add column certificate_title text,
  add column certificate_text text;
