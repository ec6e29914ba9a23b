-- What a submission says of its own making; nobody is refused for it (docs/limits.md).
-- Seconds from the page's coming to the last answer, as the browser counted them; null when unknown.
alter table responses add column elapsed_seconds integer;
-- Filled in a field that no person sees, or faster than anybody reads (src/domain/suspicion.ts).
alter table responses add column is_suspect boolean not null default false;
