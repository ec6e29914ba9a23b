-- Sender and reply address of mails to participants, and whether a result mail shows the result.

alter table creator_settings
  -- Name before « via Quizaine » in From; null: that of MAIL_FROM.
  add column sender_name text,
  -- Where replies go: 'account' (address of the account), 'none', or the id of a reply address.
  add column reply_to text not null default 'account';

-- Name of one quiz, which replaces that of the account.
alter table quizzes add column sender_name text;

-- Addresses that a creator confirmed with a code.
create table reply_addresses (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  email text not null,
  confirmed_at timestamptz not null default now(),
  unique (user_id, email)
);

alter table quiz_mails
  -- Choice of one quiz, as in creator_settings; null: that of the account.
  add column reply_to text,
  -- False for mails that were written before mails showed the result, so that they do not change.
  add column shows_result boolean not null default true;
update quiz_mails set shows_result = false where subject is not null or text is not null;

alter table one_time_tokens drop constraint one_time_tokens_type_check;
alter table one_time_tokens add constraint one_time_tokens_type_check check (type in (
  'confirmation', 'recovery', 'email_change_current', 'email_change_new', 'reauthentication',
  'phone_confirmation', 'phone_change', 'reply_address'
));
