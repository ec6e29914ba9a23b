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

-- Certificate of a participant, created at its first download. Everything else that it prints follows from the response.
create table certificates (
  quiz_id uuid not null,
  participant_uuid uuid not null,
  -- Random number that the certificate prints.
  number bytea not null check (octet_length(number) = 10),
  -- Day of the response in the creator's time zone at the creation of the certificate.
  day text not null,
  primary key (quiz_id, participant_uuid)
);
create index certificates_by_number on certificates using hash (number);

-- Deletes the certificates of deleted responses.
create function remove_certificates() returns trigger language plpgsql as $$
begin
  delete from certificates where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from old_rows);
  return null;
end
$$;
create trigger responses_certified after delete on responses
referencing old table as old_rows for each statement execute function remove_certificates();
