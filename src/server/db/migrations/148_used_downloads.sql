-- Download links that were followed, until they expire: each serves one download, whichever process is asked.
create table used_downloads (
  id uuid primary key,
  expires_at timestamptz not null
);
