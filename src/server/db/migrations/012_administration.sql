-- Settings of the whole installation, and indexes for its administration.

-- One row at most. No row: the defaults of the environment variables.
create table installation_settings (
  is_only_row boolean primary key default true check (is_only_row),
  -- Who may create an account: everyone, invited people, or no one.
  sign_up_mode text not null check (sign_up_mode in ('open', 'invitation', 'closed'))
);

-- Orders of the list of accounts. An account that never signed in comes last.
create index users_created on users (created_at, id);
create index users_signed_in on users ((coalesce(last_sign_in_at, 'epoch'::timestamptz)), id);

-- Finds the last backup.
create index audit_events_backups on audit_events (at) where event = 'backup_written';
