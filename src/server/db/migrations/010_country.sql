-- Country of an account (ISO 3166), with which phone numbers without a country code are read; null for that of the time zone.
alter table creator_settings add column country text;
