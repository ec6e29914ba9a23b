-- Accounts may have a number, confirmed by the code of a text message. Digits alone, without the plus.
alter table users
  add column phone text unique,
  add column phone_confirmed_at timestamptz,
  add column new_phone text,
  add column phone_change_sent_at timestamptz;

alter table one_time_tokens drop constraint one_time_tokens_type_check;
alter table one_time_tokens add constraint one_time_tokens_type_check check (type in
  ('confirmation', 'recovery', 'email_change_current', 'email_change_new', 'reauthentication',
   'phone_confirmation', 'phone_change'));
