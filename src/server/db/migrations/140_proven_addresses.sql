-- How the address of an account was shown to be its owner's: by a mail that was followed, by a provider
-- that has verified it, or by an administrator's word. Null where it was only believed at sign-up.
alter table users
  add column email_proven_by text
    check (email_proven_by in ('mail', 'provider', 'administrator'));

update users set email_proven_by = 'mail'
where email_confirmed_at is not null and exists (
  select from identities
  where identities.user_id = users.id and identities.provider = 'email'
    and identities.identity_data ->> 'email_verified' = 'true'
);
update users set email_proven_by = 'provider'
where email_confirmed_at is not null and email_proven_by is null and exists (
  select from identities
  where identities.user_id = users.id and identities.provider not in ('email', 'phone')
    and lower(identities.identity_data ->> 'email') = users.email
    and identities.identity_data ->> 'email_verified' = 'true'
);
