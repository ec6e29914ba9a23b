-- What gave the password of an account that waits to be confirmed: the browser, as the hash of its cookie, and
-- the challenge of a PKCE sign-up. An account without a row here has its password from an administrator.
create table password_givers (
  user_id uuid primary key references users on delete cascade,
  browser_hash bytea,
  code_challenge text
);

-- Nothing tells what gave the passwords that wait while this is applied.
insert into password_givers (user_id)
select id from users
where encrypted_password is not null and email_confirmed_at is null
  and phone_confirmed_at is null and last_sign_in_at is null;

-- The password of a sign-up whose link was followed in another browser, until its client shows its verifier.
alter table flow_states add column withheld_password text;
