-- The whole schema, by feature: accounts and sign-in, quizzes and drafts, pictures, versions, responses, counters,
-- statistics, connections, deliveries, mails of a quiz, erasures, audit log.
--
-- `user_id` and `creator_id` have a foreign key only if the account must be in `users`: creators may have their accounts
-- in a hosted auth service instead. Triggers at the end of a feature then delete the rows of a deleted account.


-- ============================================================================================================
-- Accounts and sign-in
-- ============================================================================================================

-- Accounts of the built-in auth service. Column names follow the hosted service that has the same API.
create table users (
  id uuid primary key,
  -- Null for an anonymous account.
  email text unique,
  -- Null for an account that has only ever signed in by mail or by another provider.
  encrypted_password text,
  email_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  app_metadata jsonb not null default '{}',
  user_metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_anonymous boolean not null default false,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  -- Address that replaces `email` after its confirmation.
  new_email text,
  email_change_sent_at timestamptz,
  -- Address of a pending change that has already been confirmed; null if neither has.
  email_change_confirmed_by text check (email_change_confirmed_by in ('current', 'new')),
  banned_until timestamptz,
  deleted_at timestamptz,
  -- Digits only, without the plus sign.
  phone text unique,
  phone_confirmed_at timestamptz,
  new_phone text,
  phone_change_sent_at timestamptz,
  -- Evidence that the account owns its address: a followed mail link, a provider that verified the address, or an
  -- administrator. Null if the address is unverified.
  email_proven_by text check (email_proven_by in ('mail', 'provider', 'administrator'))
);

-- Sign-in methods of an account: one row for each provider.
create table identities (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_id)
);
create index on identities (user_id);

-- Second factors of accounts.
create table mfa_factors (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  factor_type text not null check (factor_type in ('totp', 'phone', 'webauthn', 'recovery_code')),
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  friendly_name text not null default '',
  -- Secret of an authenticator application, encrypted with a key that is not in the database.
  sealed_secret bytea,
  phone text,
  -- Public key of a passkey or a security key.
  credential jsonb,
  -- Time step of the last accepted code, so that no code is accepted twice.
  last_step bigint,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on mfa_factors (user_id);
create unique index mfa_factors_name on mfa_factors (user_id, friendly_name)
  where factor_type <> 'recovery_code';
create unique index on mfa_factors (user_id) where factor_type = 'recovery_code';
create unique index on mfa_factors ((credential ->> 'id'));

create table mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references mfa_factors on delete cascade,
  ip text not null,
  -- Challenge that the passkey or security key signs.
  webauthn_challenge text,
  -- HMAC of the code in the text message.
  code_hash bytea,
  wrong_codes smallint not null default 0,
  verified_at timestamptz,
  created_at timestamptz not null default now()
);
create index on mfa_challenges (factor_id);

-- Single-use codes that replace a lost factor, each stored as an HMAC.
create table recovery_codes (
  factor_id uuid not null references mfa_factors on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (factor_id, code_hash)
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  -- User-Agent header, by which the owner recognises the session in a list.
  user_agent text,
  -- Factor of the last second-factor check.
  factor_id uuid references mfa_factors on delete set null
);
create index on sessions (user_id);
create index on sessions (factor_id);

-- Authentication methods of a session (the claim `amr`), with the time of each.
create table session_amr (
  session_id uuid not null references sessions on delete cascade,
  method text not null,
  updated_at timestamptz not null default now(),
  primary key (session_id, method)
);

-- Refresh tokens, as SHA-256 only. Each token is derived from its predecessor's text, so that a client that lost the reply
-- can be given the same successor again.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index on refresh_tokens (session_id);
-- Guarantees at most one valid token for each session, even if two refreshes race.
create unique index on refresh_tokens (session_id) where revoked_at is null;

-- Private signing keys, encrypted with SECRET_KEY and shared by every process.
create table auth_keys (
  purpose text primary key,
  sealed_jwk bytea not null,
  created_at timestamptz not null default now()
);

-- PKCE sign-ins: begun by a client with a challenge, ended by the exchange of a code.
create table flow_states (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  code_challenge text not null,
  code_challenge_method text not null check (code_challenge_method in ('s256', 'plain')),
  method text not null,
  -- SHA-256 of the code.
  code_hash bytea unique,
  code_issued_at timestamptz,
  created_at timestamptz not null default now(),
  -- Tokens for calls to the provider, encrypted with a key that is not in the database, until the code is exchanged.
  sealed_provider_tokens bytea,
  -- Password hash of a sign-up whose link was opened in another browser, until the client sends its verifier.
  withheld_password text,
  -- Profile from the provider, linked to the account when the code is exchanged; null unless an identity is being linked.
  linking_profile jsonb
);
create index on flow_states (user_id);

-- Single-use links and six-digit codes that were sent by mail or text message, one for each user and type.
create table one_time_tokens (
  user_id uuid not null references users on delete cascade,
  type text not null check (type in (
    'confirmation', 'recovery', 'email_change_current', 'email_change_new', 'reauthentication',
    'phone_confirmation', 'phone_change'
  )),
  -- Address or phone number of the recipient.
  relates_to text not null,
  -- SHA-256 of the link's 224 random bits.
  link_hash bytea not null unique,
  -- HMAC of the code, with a key that is not in the database.
  code_hash bytea not null,
  wrong_codes smallint not null default 0,
  -- True if the use of the link must delete the account's password, because its recipient may not have chosen it.
  drops_password boolean not null default false,
  flow_id uuid references flow_states on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, type)
);
create index on one_time_tokens (relates_to);
create index on one_time_tokens (flow_id);

-- Origin of the password of an account that is not confirmed yet. No row: an administrator set the password.
create table password_origins (
  user_id uuid primary key references users on delete cascade,
  -- Hash of the cookie of the browser that signed up.
  browser_hash bytea,
  -- Challenge of a PKCE sign-up.
  code_challenge text
);

-- Queue of account mails. Known and unknown addresses get the same row, so that the reply does not reveal accounts.
-- Links and codes are made when the mail is sent and are not stored here.
create table mail_jobs (
  id uuid primary key,
  kind text not null,
  email text not null,
  user_id uuid references users on delete cascade,
  details jsonb not null default '{}',
  tries smallint not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index on mail_jobs (due_at);
create index on mail_jobs (user_id);

-- Sign-ins in progress at an OAuth or OpenID provider. The id is the `state` parameter.
create table oauth_states (
  id uuid primary key,
  provider text not null,
  -- Page of the client that the browser returns to in the end.
  redirect_to text not null,
  -- PKCE challenge of the client.
  code_challenge text,
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  -- PKCE verifier and nonce of this server towards the provider.
  code_verifier text not null,
  nonce text not null,
  -- Account that asked for a new linked identity; null for a sign-in.
  linking_user_id uuid references users on delete cascade,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  -- Hash of the cookie that ties the callback to the browser that started the sign-in.
  browser_hash bytea
);
create index on oauth_states (created_at);
create index on oauth_states (linking_user_id);

-- SHA-256 of wallet messages that have been used, so that each signs in only once. A row outlives the message's validity.
create table web3_messages (
  message_hash bytea primary key,
  created_at timestamptz not null default now()
);
create index on web3_messages (created_at);

-- Wrong passwords and codes within one hour from the first attempt.
create table recent_attempts (
  -- HMAC of an account, an address, a known network of an account, or a session.
  scope bytea primary key,
  attempts integer not null,
  began_at timestamptz not null default now()
);
create index on recent_attempts (began_at);

-- Networks from which an account has signed in. Each has its own count of attempts, so that an attack from elsewhere does
-- not lock out the owner.
create table known_networks (
  user_id uuid not null references users on delete cascade,
  -- HMAC of the network and the account's id.
  network_hash bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, network_hash)
);
create index on known_networks (seen_at);

-- API keys of creators.
create table api_keys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null,
  scope text not null check (scope in ('lecture', 'écriture')),
  -- SHA-256 of the key; the key itself is not stored.
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  -- Rounded to the minute.
  last_used_at timestamptz,
  expires_at timestamptz
);
create index on api_keys (user_id);

-- Settings of a creator. No row: the defaults.
create table creator_settings (
  user_id uuid primary key,
  -- IANA time zone of displayed dates and days; Europe/Paris by default.
  time_zone text not null
);

-- Download links that have been used, until they expire. Every process reads this table, so that a link serves one download.
create table used_downloads (
  id uuid primary key,
  expires_at timestamptz not null
);


-- ============================================================================================================
-- Quizzes and drafts
-- ============================================================================================================

-- Drafts of quizzes and surveys, with settings that apply at once. Visitors see a version (`quiz_versions`) instead.
create table quizzes (
  id uuid primary key,
  creator_id uuid not null,
  name text not null,
  type text not null check (type in ('quiz', 'sondage')),
  status text not null default 'Brouillon' check (status in ('Brouillon', 'Publié')),
  quiz_mode text check (quiz_mode in ('score', 'profils')),
  -- Colours: null is the default of the screen.
  bg_color text,
  text_color text,
  button_color text,
  button_text_color text,
  accent_color text,
  kit_custom_field text,
  brevo_attribute_name text,
  -- Version that visitors see; kept while the quiz is withdrawn.
  published_version integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Number of writes to the draft. A save that names an older revision is an edit conflict.
  revision integer not null default 0,
  -- 'box': an unticked consent box next to the address; 'requested': no box, because the quiz is the requested service.
  consent_mode text not null default 'requested' check (consent_mode in ('box', 'requested')),
  -- Null: the default text.
  consent_text text,
  -- Welcome and end screens: a screen without any text or picture is left out.
  welcome_title text,
  welcome_text text,
  welcome_button text,
  -- Image ids have no foreign key: a save checks that the creator owns the picture, and unused pictures are deleted later.
  welcome_image_id uuid,
  welcome_image_alt text,
  end_title text,
  end_text text,
  end_button_text text,
  end_button_url text,
  -- True if the result page shows the score with its ranges, or the share of each profile.
  shows_detail boolean not null default false,
  allows_restart boolean not null default false,
  font text not null default 'system',
  corners text not null default 'soft',
  logo_image_id uuid,
  background_image_id uuid,
  -- Address chosen by the creator, in addition to the address made of the id.
  slug text,
  closes_at timestamptz,
  max_responses integer,
  closed_text text,
  -- Rule for results with the same total in a quiz by profiles.
  tie_rule text not null default 'priority',
  -- Question whose answer decides a tie. No foreign key: draft rows are written in any order, and each save checks the id.
  tie_question_id uuid,
  -- URL parameters that are stored with a response, in addition to utm_*.
  parameters text[] not null default '{}'
);
create index on quizzes (creator_id, updated_at desc);
-- These three indexes find the uses of a picture.
create index on quizzes (welcome_image_id) where welcome_image_id is not null;
create index on quizzes (logo_image_id) where logo_image_id is not null;
create index on quizzes (background_image_id) where background_image_id is not null;

-- Tells every process, after the commit, that the public page of a quiz has changed.
create function notify_quiz_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('quiz_changes', old.id::text);
  return null;
end
$$;

create trigger quiz_visibility_changed
after update of status, published_version on quizzes for each row
when (
  old.status is distinct from new.status
  or old.published_version is distinct from new.published_version
)
execute function notify_quiz_change();

create trigger quiz_deleted after delete on quizzes for each row execute function notify_quiz_change();

-- The public page shows the consent box while its quiz forwards responses.
create trigger quiz_consent_changed
after update of consent_mode, consent_text on quizzes for each row
when (
  old.consent_mode is distinct from new.consent_mode
  or old.consent_text is distinct from new.consent_text
)
execute function notify_quiz_change();

create trigger quiz_access_changed
after update of slug, closes_at, max_responses, closed_text on quizzes for each row
when (
  (old.slug, old.closes_at, old.max_responses, old.closed_text)
  is distinct from (new.slug, new.closes_at, new.max_responses, new.closed_text)
)
execute function notify_quiz_change();

create trigger quiz_parameters_changed
after update of parameters on quizzes for each row
when (old.parameters is distinct from new.parameters)
execute function notify_quiz_change();

create table results (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  name text not null constraint results_name_filled check (btrim(name) <> ''),
  description text,
  -- Rank among the quiz's results; a lower number takes precedence.
  priority_order integer not null,
  min_score integer,
  max_score integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  image_id uuid,
  image_alt text,
  button_text text,
  button_url text,
  -- Address that the visitor is redirected to instead of seeing the result.
  redirect_url text
);
create index on results (quiz_id);
create index on results (image_id) where image_id is not null;

create table questions (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  text text not null,
  type text not null check (
    type in ('multiple_choice', 'text', 'textarea', 'email', 'phone', 'number', 'scale', 'date')
  ),
  -- Rank among the questions, from 0.
  position integer not null,
  -- Rank among questions and text blocks together, from 0.
  global_position integer not null,
  page_number integer not null,
  -- Short name, unique in the quiz, used by insertions, exports and email tools.
  label text,
  image_id uuid,
  -- Null: no alternative text was given; '': the picture is decorative.
  image_alt text,
  help text,
  is_required boolean not null default true,
  -- Number of answers that may be chosen; null: any number.
  max_choices smallint default 1,
  -- True if the last choice is « Autre », with a text field.
  has_other boolean not null default false,
  shuffles_answers boolean not null default false,
  scale_min smallint not null default 0,
  scale_max smallint not null default 10,
  scale_min_label text,
  scale_max_label text,
  -- True if the number on the scale is added to the score.
  counts_in_score boolean not null default false
);
create index on questions (quiz_id);
create index on questions (image_id) where image_id is not null;

create table answers (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  question_id uuid not null references questions on delete cascade,
  text text not null,
  -- Null: no score was given, which differs from 0 in the publication check.
  score integer,
  position integer not null,
  image_id uuid,
  image_alt text,
  -- Number of the page that follows; 0: the end; -1: a deleted page; null: the next page.
  jump_to smallint
);
create index on answers (quiz_id);
create index on answers (question_id);
create index on answers (image_id) where image_id is not null;

-- Points that an answer gives to a result of a quiz by profiles. An association counts only if `is_checked`.
create table associations (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  answer_id uuid not null references answers on delete cascade,
  result_id uuid not null references results on delete cascade,
  weight integer not null default 1,
  is_checked boolean not null default false,
  unique (answer_id, result_id)
);
create index on associations (quiz_id);
create index on associations (result_id);

create table text_blocks (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  content text not null,
  -- Rank among questions and text blocks together, from 0.
  global_position integer not null,
  page_number integer not null
);
create index on text_blocks (quiz_id);

-- Every address that a quiz has had. Old addresses still lead to the quiz and cannot be taken by another quiz.
create table quiz_slugs (
  slug text primary key,
  quiz_id uuid not null references quizzes on delete cascade
);
create index quiz_slugs_of_quiz on quiz_slugs (quiz_id);

-- Addresses of deleted quizzes, reserved for their creator for 90 days, so that old links and QR codes lead to no other
-- creator's page.
create table former_slugs (
  slug text primary key,
  creator_id uuid not null,
  reserved_until timestamptz not null
);

create function reserve_slugs() returns trigger language plpgsql as $$
begin
  insert into former_slugs (slug, creator_id, reserved_until)
  select slug, old.creator_id, now() + interval '90 days' from quiz_slugs
  where quiz_id = old.id order by slug
  on conflict (slug) do update
    set creator_id = excluded.creator_id, reserved_until = excluded.reserved_until;
  return old;
end $$;

create trigger quiz_slugs_reserved before delete on quizzes for each row execute function reserve_slugs();


-- ============================================================================================================
-- Pictures
-- ============================================================================================================

create table images (
  id uuid primary key,
  creator_id uuid not null,
  width integer not null,
  height integer not null,
  -- Placeholder colour until the picture is loaded.
  color text not null,
  -- Total size of all files of the picture.
  bytes integer not null,
  created_at timestamptz not null default now(),
  -- Last time that the picture was put into a draft, or was found in a draft or a version.
  used_at timestamptz not null default now()
);
create index on images (creator_id);
create index on images (used_at);

-- The WebP files of a picture, one for each size.
create table image_files (
  image_id uuid not null references images on delete cascade,
  size integer not null,
  data bytea not null,
  primary key (image_id, size)
);
-- Disables TOAST compression, because WebP is already compressed.
alter table image_files alter column data set storage external;

-- Deletes the pictures of a deleted account.
create function delete_images_of_user() returns trigger language plpgsql as $$
begin
  delete from images where creator_id = old.id;
  return old;
end
$$;
create trigger delete_images_of_user after delete on users
  for each row execute function delete_images_of_user();


-- ============================================================================================================
-- Versions
-- ============================================================================================================

-- Immutable published versions; only the counters change.
-- The low toast_tuple_target moves even small snapshots out of the row, so that counting and summing do not read them.
create table quiz_versions (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  snapshot jsonb not null,
  nb_responses bigint not null default 0,
  published_at timestamptz not null default now(),
  -- Number of deleted responses. With `nb_responses`, it identifies a state of the version's responses.
  nb_deleted bigint not null default 0,
  -- Pictures that the version shows.
  image_ids uuid[] not null default '{}',
  -- Position of the question that each element of `responses.choices` belongs to.
  choice_questions smallint[] not null default '{}',
  -- Id of the question that each element of `responses.texts` belongs to.
  text_questions uuid[] not null default '{}',
  primary key (quiz_id, version)
) with (toast_tuple_target = 128);
create index on quiz_versions using gin (image_ids) where image_ids <> '{}';

-- One row for each element of `choices` and `texts` in a version's responses. `rank` is the index in the array, from 1.
create view version_questions as
select quiz_id, version, null::uuid as question_id, true as is_choice, question_position, rank
from quiz_versions, unnest(choice_questions) with ordinality as slots(question_position, rank)
union all
select quiz_id, version, question_id, false, null::smallint, rank
from quiz_versions, unnest(text_questions) with ordinality as places(question_id, rank);

-- Ids and names of a version's results in their order, so that lists do not read the large snapshot.
create table version_results (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  results jsonb not null,
  primary key (quiz_id, version)
);

create function result_names(snapshot jsonb) returns jsonb stable language sql
return (
  select coalesce(
    jsonb_agg(jsonb_build_object('id', result -> 'id', 'name', result -> 'name') order by place), '[]'
  )
  from jsonb_array_elements(snapshot -> 'results') with ordinality as item(result, place)
);

create function insert_version_results() returns trigger language plpgsql as $$
begin
  insert into version_results
  select quiz_id, version, result_names(snapshot) from new_rows order by 1, 2;
  return null;
end
$$;
create trigger version_stored after insert on quiz_versions
referencing new table as new_rows for each statement execute function insert_version_results();


-- ============================================================================================================
-- Responses
-- ============================================================================================================

-- Tables that grow with visitors have `quiz_id` first in every key, so that they can be partitioned by it.
-- `responses` and `text_counts` have no foreign key, because its check would slow down each submission.

create table responses (
  quiz_id uuid not null,
  participant_uuid uuid not null,
  version integer not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Canonical form: NFKC, lower case, without invisible characters.
  email text,
  -- Index in the version's list of results; null for a survey.
  result_position smallint,
  -- Rank of the chosen answer or number on the scale; -1: left blank; -2: page not shown; null: unused element.
  choices smallint[] not null,
  -- Typed texts in NFC form.
  texts text[] not null,
  -- Seconds from the loading of the page to the last answer, measured by the browser; null if unknown.
  elapsed_seconds integer,
  -- True if a hidden field was filled in, or if the answers came faster than a person can read.
  is_suspect boolean not null default false,
  -- Points of the chosen answers; null unless the version is a quiz by score.
  score integer,
  -- Accepted wording (`consent_texts`); 0: asked and declined; null: not asked.
  consent_version integer,
  -- URL parameters; null if there are none.
  parameters jsonb,
  -- Names of the parameters whose value is counted under '' in `parameter_counts`, because the quiz has too many values.
  other_values text[],
  primary key (quiz_id, participant_uuid)
);
create index on responses (quiz_id, created_at desc, participant_uuid desc);

-- Finds responses by address, or by its beginning.
create index responses_by_email on responses (quiz_id, lower(email) text_pattern_ops)
  where email is not null;

-- First page of the responses with one result.
create index responses_by_result on responses
  (quiz_id, result_position, created_at desc, participant_uuid desc)
  where result_position is not null;

-- Finds addresses by the last word before the @: « dupont » of anne.dupont@exemple.fr.
create index responses_by_last_word on responses
  (quiz_id, substring(lower(email) from '^[^@]*[._+-]([^@._+-]+@.*)$') text_pattern_ops)
  where email is not null
    and substring(lower(email) from '^[^@]*[._+-]([^@._+-]+@.*)$') is not null;

-- Finds addresses by their domain, newest first.
create index responses_by_domain on responses
  (quiz_id, split_part(lower(email), '@', 2) text_pattern_ops, created_at desc) where email is not null;

-- Finds responses by the value of a parameter. The pending list of 64 kB spreads the cost of updates over submissions:
-- without a list each costs several times as much, and a larger list delays the submission that flushes it.
create index responses_by_parameter on responses
  using gin (jsonb_set('{}', array[quiz_id::text], parameters) jsonb_path_ops)
  with (gin_pending_list_limit = 64) where parameters is not null;

-- Every consent wording that visitors have seen, kept as proof of what they agreed to.
create table consent_texts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  text text not null,
  created_at timestamptz not null default now(),
  primary key (quiz_id, version),
  unique (quiz_id, text)
);

-- Retention period of a quiz's responses; no row: unlimited. Each deletion is announced first.
create table retention (
  quiz_id uuid primary key references quizzes on delete cascade,
  months integer not null check (months in (6, 12, 36)),
  -- Announced deletion: responses created before `before`, a midnight in Paris, are deleted after `due_at`.
  before timestamptz,
  due_at timestamptz,
  check ((before is null) = (due_at is null))
);
create index on retention (due_at);

-- Responses of the creator's trial runs, neither counted nor sent. A quiz keeps its newest fifty for thirty days.
create table trial_responses (
  quiz_id uuid not null references quizzes on delete cascade,
  id uuid not null,
  version integer not null,
  created_at timestamptz not null default clock_timestamp(),
  email text,
  result_position smallint,
  score integer,
  -- `choices`, `texts` and `parameters` have the format of `responses`.
  choices smallint[] not null,
  texts text[] not null,
  elapsed_seconds integer,
  consent_version integer,
  parameters jsonb,
  primary key (quiz_id, id)
);
create index on trial_responses (created_at);


-- ============================================================================================================
-- Counters of responses
-- ============================================================================================================

-- Each statement that stores or deletes responses also updates these counters.

create table choice_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  question_position smallint not null,
  answer_position smallint not null,
  count bigint not null,
  primary key (quiz_id, version, question_position, answer_position)
);

create table text_counts (
  quiz_id uuid not null,
  question_id uuid not null,
  -- SHA-256 of the text, because the text may be too long for a key.
  digest bytea not null,
  text text not null,
  count bigint not null,
  primary key (quiz_id, question_id, digest)
);
create index on text_counts (quiz_id, question_id, count desc);

create table result_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  result_position smallint not null,
  count bigint not null,
  primary key (quiz_id, version, result_position)
);

create table score_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  score integer not null,
  count bigint not null,
  primary key (quiz_id, score)
);

-- Responses by duration, one row for each second up to a maximum that includes all longer durations.
create table duration_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  seconds integer not null,
  count bigint not null,
  primary key (quiz_id, seconds)
);

-- Responses by quarter of an hour in UTC. Days of every time zone end with a quarter, so a new time zone needs no recount.
create table quarter_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  quarter timestamptz not null,
  count bigint not null,
  primary key (quiz_id, quarter, version)
);

-- Responses by consent (`responses.consent_version`).
create table consent_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  consent_version integer not null,
  count bigint not null,
  primary key (quiz_id, consent_version)
);

-- Responses by URL parameter. The value '' counts all values beyond the maximum number of values.
create table parameter_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  name text collate "C" not null,
  value text collate "C" not null,
  count bigint not null,
  primary key (quiz_id, name, value)
);

-- Deletes the responses of a deleted quiz. A loop over single ids uses the index; a join with the deleted rows would scan
-- the responses of every quiz.
create function remove_participants() returns trigger language plpgsql as $$
declare
  deleted_quiz_id uuid;
begin
  for deleted_quiz_id in select id from old_rows loop
    delete from responses where quiz_id = deleted_quiz_id;
    delete from text_counts where quiz_id = deleted_quiz_id;
  end loop;
  return null;
end
$$;
create trigger quizzes_removed after delete on quizzes
referencing old table as old_rows for each statement execute function remove_participants();


-- ============================================================================================================
-- Statistics
-- ============================================================================================================

-- Visits by the step that they reached, and by quarter of an hour. Contains no data about a visitor.
create table visit_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  quarter timestamptz not null,
  -- 1: opened the quiz; 2: answered a question; 3: reached the second page; 4: the third page; and so on.
  step smallint not null,
  count bigint not null,
  primary key (quiz_id, quarter, version, step)
);

-- Visits by step over all quarters, so that the list of quizzes does not sum `visit_counts`.
create table visit_step_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  step smallint not null,
  count bigint not null,
  primary key (quiz_id, version, step)
);

-- The three functions lock rows in key order, so that concurrent statements cannot deadlock.
create function count_new_visits() returns trigger language plpgsql as $$
begin
  insert into visit_step_counts as counter (quiz_id, version, step, count)
  select quiz_id, version, step, sum(count) from new_rows group by 1, 2, 3 order by 1, 2, 3
  on conflict (quiz_id, version, step) do update set count = counter.count + excluded.count;
  return null;
end
$$;
create trigger visits_written after insert on visit_counts
referencing new table as new_rows for each statement execute function count_new_visits();

create function count_changed_visits() returns trigger language plpgsql as $$
begin
  with changes as (
    select quiz_id, version, step, sum(change) as change
    from (
      select quiz_id, version, step, count as change from new_rows
      union all
      select quiz_id, version, step, -count from old_rows
    ) as row_changes
    group by 1, 2, 3
  ), locked_changes as (
    select quiz_id, version, step, change
    from visit_step_counts join changes using (quiz_id, version, step)
    order by 1, 2, 3 for update of visit_step_counts
  )
  update visit_step_counts as counter set count = counter.count + locked_changes.change from locked_changes
  where (counter.quiz_id, counter.version, counter.step) = (locked_changes.quiz_id, locked_changes.version, locked_changes.step);
  return null;
end
$$;
create trigger visits_changed after update on visit_counts
referencing old table as old_rows new table as new_rows for each statement
execute function count_changed_visits();

create function count_removed_visits() returns trigger language plpgsql as $$
begin
  with changes as (
    select quiz_id, version, step, sum(count) as change from old_rows group by 1, 2, 3
  ), locked_changes as (
    select quiz_id, version, step, change
    from visit_step_counts join changes using (quiz_id, version, step)
    order by 1, 2, 3 for update of visit_step_counts
  )
  update visit_step_counts as counter set count = counter.count - locked_changes.change from locked_changes
  where (counter.quiz_id, counter.version, counter.step) = (locked_changes.quiz_id, locked_changes.version, locked_changes.step);
  return null;
end
$$;
create trigger visits_removed after delete on visit_counts
referencing old table as old_rows for each statement execute function count_removed_visits();

-- Responses with an answer that few participants chose, so that a filter on it does not scan all responses. A background
-- task fills the table for large quizzes, in the order of `responses.created_at`.
create table rare_answers (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  -- Index in `responses.choices`, from 1.
  rank smallint not null,
  answer_position smallint not null,
  participant_uuid uuid not null,
  primary key (quiz_id, version, rank, answer_position, participant_uuid)
);

-- Progress of that task: responses created before `examined_until` have been examined.
create table rare_answer_progress (
  quiz_id uuid primary key references quizzes on delete cascade,
  examined_until timestamptz not null
);

-- Link by which a creator shares the statistics of a quiz; at most one for each quiz.
create table statistics_links (
  quiz_id uuid primary key references quizzes on delete cascade,
  token_hash bytea not null unique,
  -- Encrypted token, so that the creator can copy the link again.
  sealed_token bytea not null,
  created_at timestamptz not null default now(),
  -- Last day on which the link was opened.
  opened_on date
);


-- ============================================================================================================
-- Connections to email tools, webhooks and mails
-- ============================================================================================================

-- Destination of responses: a creator's account at an email tool, or a webhook or a kind of mail of one quiz.
create table integration_connections (
  id uuid primary key,
  user_id uuid not null,
  -- 'mail': sends participants their result; 'notice': tells the creator about each response.
  provider text not null check (provider in ('convertkit', 'systemio', 'brevo', 'webhook', 'mail', 'notice')),
  -- API key, or both OAuth tokens as JSON, or secret of a webhook. The encryption is bound to this row.
  sealed_secret bytea,
  -- Incremented by each rotation of SECRET_KEY and covered by the encryption.
  key_version integer not null default 1,
  vendor_account_id text,
  vendor_email text,
  -- 'paused': the creator stopped the sending; new deliveries wait.
  status text not null check (status in ('active', 'needs_attention', 'paused', 'disconnected')),
  -- Machine-readable reason, such as invalid_key, reconnect, ip_blocked, forbidden or payment_required.
  status_reason text,
  token_expires_at timestamptz,
  -- Lock of the process that refreshes the tokens.
  refresh_lock_until timestamptz,
  -- Time before which nothing is sent.
  paused_until timestamptz,
  -- Last mail to the creator about a problem.
  notified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Quiz of a webhook or mail; null for an email tool.
  quiz_id uuid references quizzes on delete cascade,
  -- Last time that a webhook or mail was enabled again: earlier responses are not sent.
  enabled_since timestamptz,
  -- Last time that the account at the tool may have changed: contact ids from before belong to another account.
  account_since timestamptz,
  -- Incremented when the creator gives another secret or address, so that the outcome of an older attempt is ignored.
  generation integer not null default 1,
  constraint integration_connections_quiz_check
    check ((provider in ('webhook', 'mail', 'notice')) = (quiz_id is not null)),
  constraint integration_connections_secret_check check (
    (sealed_secret is null) = (status = 'disconnected' or provider in ('mail', 'notice'))
  )
);
create unique index integration_connections_account
  on integration_connections (user_id, provider) where quiz_id is null;
create index integration_connections_user on integration_connections (user_id, provider);
create index integration_connections_quiz on integration_connections (quiz_id)
  where quiz_id is not null;
create unique index integration_connections_mail
  on integration_connections (quiz_id, provider) where provider in ('mail', 'notice');

-- Address of a webhook. A deleted webhook keeps both rows, without a secret, while its quiz has deliveries to it.
create table webhooks (
  connection_id uuid primary key references integration_connections on delete cascade,
  url text not null,
  -- Secret before a rotation, which signs too until `previous_until`.
  sealed_previous bytea,
  previous_until timestamptz,
  check ((sealed_previous is null) = (previous_until is null))
);

-- Settings of an email tool for one quiz.
create table quiz_integrations (
  quiz_id uuid not null references quizzes on delete cascade,
  provider text not null check (provider in ('convertkit', 'systemio', 'brevo')),
  -- Choice of the creator, whatever the status of the connection.
  enabled boolean not null default false,
  -- The tool's key of the field that receives the result.
  field_key text,
  provisioned_at timestamptz,
  tag_by_result boolean not null,
  -- Start of the current uninterrupted forwarding: earlier responses are sent only on request.
  enabled_since timestamptz,
  -- First time that forwarding was enabled, because the screen asks about consent before it.
  first_enabled_at timestamptz,
  sends_parameters boolean not null default false,
  -- The tool's field for each parameter, as {"utm_source": "utm_source"}; null if the tool refuses a field.
  parameter_fields jsonb not null default '{}',
  primary key (quiz_id, provider)
);

create function set_enabled_since() returns trigger language plpgsql as $$
begin
  if not new.enabled then
    new.enabled_since := null;
  elsif tg_op = 'INSERT' or not old.enabled then
    new.enabled_since := clock_timestamp();
    new.first_enabled_at := coalesce(new.first_enabled_at, new.enabled_since);
  end if;
  return new;
end
$$;
create trigger integration_enabling before insert or update of enabled on quiz_integrations
for each row execute function set_enabled_since();

-- Tells every process that the public page must show or hide the consent box.
create function notify_integration_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('quiz_changes', coalesce(new.quiz_id, old.quiz_id)::text);
  return null;
end
$$;
create trigger quiz_integration_changed
after insert or update of enabled or delete on quiz_integrations for each row
execute function notify_integration_change();

-- Restarts `enabled_since` when a tool is connected again, and notifies all quizzes that use the tool.
create function restart_integrations() returns trigger language plpgsql as $$
begin
  if (old.status = 'disconnected') = (new.status = 'disconnected') then
    return null;
  end if;
  update quiz_integrations set enabled_since = clock_timestamp()
  from quizzes
  where quizzes.id = quiz_integrations.quiz_id and quizzes.creator_id = new.user_id
    and quiz_integrations.provider = new.provider and enabled and new.status <> 'disconnected';
  perform pg_notify('quiz_changes', quiz_id::text)
  from quiz_integrations join quizzes on quizzes.id = quiz_id
  where creator_id = new.user_id and provider = new.provider and enabled;
  return null;
end
$$;
create trigger connection_changed
after update of status on integration_connections for each row execute function restart_integrations();

-- The public page mentions the mail while participants receive one.
create function notify_mail_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('quiz_changes', new.quiz_id::text);
  return null;
end
$$;
create trigger mail_changed
after insert or update of status on integration_connections for each row
when (new.provider = 'mail') execute function notify_mail_change();

-- Active destinations of each quiz. Responses created since `since` are sent to them.
create view forwardings as
select integration.quiz_id, integration.provider, connection.id as connection_id,
  integration.enabled_since as since
from quiz_integrations as integration
join quizzes on quizzes.id = integration.quiz_id
join integration_connections as connection
  on connection.user_id = quizzes.creator_id and connection.provider = integration.provider
where integration.enabled and connection.status <> 'disconnected'
union all
select quiz_id, provider, id, coalesce(enabled_since, created_at)
from integration_connections
where quiz_id is not null and status <> 'disconnected';

-- OAuth authorisations in progress at Kit.
create table integration_states (
  -- Hash of the `state` parameter.
  state_hash bytea primary key,
  -- Hash of the cookie that ties the callback to the browser that started the authorisation.
  browser_hash bytea not null,
  user_id uuid not null,
  code_verifier text not null,
  -- Page at Kit where an installation that began there ends.
  return_to text,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  -- True if the creator has agreed that another account may replace the connected account.
  may_replace boolean not null default false,
  -- Outcome of the callback, for a page that is loaded again.
  outcome text
);
create index on integration_states (created_at);
create index on integration_states (user_id);

-- A tag or list for participants with a result or an answer. The ids have no foreign key, because a rule also applies to
-- older versions whose result or answer the draft has lost.
create table automations (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  provider text not null check (provider in ('convertkit', 'systemio', 'brevo')),
  result_id uuid,
  question_id uuid,
  answer_id uuid,
  label_name text not null check (char_length(label_name) between 1 and 100),
  -- The tool's id of a chosen tag or list; null: the tag or list with this name.
  vendor_id text,
  created_at timestamptz not null default now(),
  check ((result_id is null) <> (answer_id is null)),
  check ((question_id is null) = (answer_id is null))
);
-- Includes `vendor_id`, because a Brevo account may have two lists with the same name.
create unique index automations_once on automations
  (quiz_id, provider, coalesce(result_id, answer_id), lower(label_name), coalesce(vendor_id, ''));


-- ============================================================================================================
-- Deliveries
-- ============================================================================================================

-- Outbox and ledger: one row for each response and destination, written with the response. It grows with responses:
-- `quiz_id` comes first in the key, and a foreign key would slow down each submission.
create table deliveries (
  quiz_id uuid not null,
  participant_uuid uuid not null,
  provider text not null,
  connection_id uuid not null,
  status text not null check (status in
    ('pending', 'delivered', 'suppressed', 'refused', 'no_consent', 'no_email')),
  -- Name of the result at the time of the response; null for a survey.
  result_name text,
  -- Time of the response.
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  -- Deadline of the delivery, extended by the time during which its connection cannot be used.
  give_up_at timestamptz,
  attempts smallint not null default 0,
  -- Worker that has claimed the delivery, and the end of its lease.
  lease_id uuid,
  lease_until timestamptz,
  -- Calls to the tool that have succeeded, so that a retry continues after them.
  completed_calls jsonb,
  -- Machine-readable reason of a wait or a refusal.
  last_code text,
  -- True if a newer response of the same person exists: the address was sent without this result.
  is_replaced boolean not null default false,
  settled_at timestamptz,
  primary key (quiz_id, participant_uuid, connection_id)
);
create index deliveries_due on deliveries (connection_id, next_attempt_at) where status = 'pending';
create index deliveries_leased on deliveries (connection_id) where lease_id is not null;
-- Only settled deliveries are listed by status, so that submissions do not write to this index.
create index deliveries_listed on deliveries (quiz_id, status, created_at desc, participant_uuid)
where status <> 'pending';

-- Attempts of the last thirty days, without personal data and without the tool's reply.
create table delivery_attempts (
  quiz_id uuid not null,
  participant_uuid uuid not null,
  at timestamptz not null,
  outcome text not null,
  code text,
  ms integer not null,
  connection_id uuid not null,
  primary key (quiz_id, participant_uuid, connection_id, at)
);
create index on delivery_attempts using brin (at);

-- Deliveries by connection and status, updated by the triggers of `deliveries`.
create table delivery_counts (
  quiz_id uuid not null,
  provider text not null,
  status text not null,
  count bigint not null,
  connection_id uuid not null,
  primary key (quiz_id, connection_id, status)
);

-- The three functions lock rows in key order in one statement, so that concurrent statements cannot deadlock.
create function count_new_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts as counter (quiz_id, connection_id, provider, status, count)
  select quiz_id, connection_id, provider, status, count(*) from new_rows
  group by 1, 2, 3, 4 order by 1, 2, 4
  on conflict (quiz_id, connection_id, status) do update set count = counter.count + excluded.count;
  return null;
end
$$;
create trigger deliveries_written after insert on deliveries
referencing new table as new_rows for each statement execute function count_new_deliveries();

create function count_changed_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts as counter (quiz_id, connection_id, provider, status, count)
  select quiz_id, connection_id, provider, status, sum(change)
  from (
    select quiz_id, connection_id, provider, status, 1 as change from new_rows
    union all
    select quiz_id, connection_id, provider, status, -1 from old_rows
  ) as row_changes
  group by 1, 2, 3, 4 having sum(change) <> 0 order by 1, 2, 4
  on conflict (quiz_id, connection_id, status) do update set count = counter.count + excluded.count;
  return null;
end
$$;
create trigger deliveries_changed after update on deliveries
referencing old table as old_rows new table as new_rows for each statement
execute function count_changed_deliveries();

-- Deletes counts of zero, except rows that another transaction has locked and is about to increment.
create function count_removed_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_counts as counter (quiz_id, connection_id, provider, status, count)
  select quiz_id, connection_id, provider, status, -count(*) from old_rows
  group by 1, 2, 3, 4 order by 1, 2, 4
  on conflict (quiz_id, connection_id, status) do update set count = counter.count + excluded.count;
  delete from delivery_counts where (quiz_id, connection_id, status) in (
    select quiz_id, connection_id, status from delivery_counts
    where count = 0 and quiz_id in (select quiz_id from old_rows)
    for update skip locked
  );
  return null;
end
$$;
create trigger deliveries_removed after delete on deliveries
referencing old table as old_rows for each statement execute function count_removed_deliveries();

-- Deletes the deliveries of deleted responses. They are locked first, in key order: a delivery that is being settled is
-- then deleted with its attempt, and no deadlock is possible.
create function remove_deliveries() returns trigger language plpgsql as $$
begin
  perform from deliveries where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from old_rows)
  order by quiz_id, participant_uuid, connection_id for update;
  delete from delivery_attempts where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from old_rows);
  delete from deliveries where (quiz_id, participant_uuid) in
    (select quiz_id, participant_uuid from old_rows);
  return null;
end
$$;
create trigger responses_removed after delete on responses
referencing old table as old_rows for each statement execute function remove_deliveries();

-- Token bucket of each connection, shared by every worker.
create table rate_limit_buckets (
  connection_id uuid primary key,
  -- Number of calls that could begin at once at `refilled_at`.
  tokens real not null,
  refilled_at timestamptz not null,
  -- Time before which the tool has asked for no calls.
  held_until timestamptz,
  -- Start of the current period in which the connection cannot be used.
  blocked_since timestamptz,
  -- Last time that a worker claimed deliveries of the connection.
  last_claimed_at timestamptz not null
);

-- Periods in which a connection could not be used; they extend the deadlines of its deliveries.
create table delivery_pauses (
  connection_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  primary key (connection_id, since)
);

create function delete_rate_limit_bucket() returns trigger language plpgsql as $$
begin
  delete from rate_limit_buckets where connection_id = old.id;
  delete from delivery_pauses where connection_id = old.id;
  return null;
end
$$;
create trigger connection_removed after delete on integration_connections
for each row execute function delete_rate_limit_bucket();

-- Result of the last comparison between a tool's contacts and the delivered responses.
create table delivery_checks (
  quiz_id uuid not null,
  checked_at timestamptz not null,
  nb_checked bigint not null,
  nb_missing bigint not null,
  connection_id uuid not null,
  primary key (quiz_id, connection_id)
);


-- ============================================================================================================
-- Mails of a quiz
-- ============================================================================================================

-- Content of the mail to participants, and the creator's choice of a daily mail.
create table quiz_mails (
  quiz_id uuid primary key references quizzes on delete cascade,
  -- Null: the default text.
  subject text,
  text text,
  -- Start of the period that the next daily mail covers; null: no daily mail.
  daily_since timestamptz
);
create index quiz_mails_daily on quiz_mails (quiz_id) where daily_since is not null;

-- Addresses that have unsubscribed from a creator's mails, for as long as the account exists.
create table mail_unsubscribes (
  user_id uuid not null,
  -- Digest of the canonical address.
  mailbox_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (user_id, mailbox_hash)
);

-- Number of mails in a day, for the daily limits.
create table daily_mail_totals (
  day date not null,
  -- Digest of what is counted: a mailbox, a mailbox and a quiz, or a creator.
  subject_hash bytea not null,
  count integer not null,
  primary key (day, subject_hash)
);

-- Daily mails to creators, with a row even if there was no response. The process that inserts the row sends the mail.
create table mail_digests (
  user_id uuid not null,
  day date not null,
  -- End of the covered period, where the next mail begins.
  until timestamptz not null,
  primary key (user_id, day)
);

-- Deletes the connections, mails and settings of a deleted account.
create function delete_integrations_of_user() returns trigger language plpgsql as $$
begin
  delete from integration_connections where user_id = old.id;
  delete from integration_states where user_id = old.id;
  delete from mail_unsubscribes where user_id = old.id;
  delete from mail_digests where user_id = old.id;
  delete from creator_settings where user_id = old.id;
  return old;
end
$$;
create trigger delete_integrations_of_user after delete on users
  for each row execute function delete_integrations_of_user();


-- ============================================================================================================
-- Erasures
-- ============================================================================================================

-- Requests to tools and events for webhooks about an erased person. They are sent by the outbox but are not in
-- `deliveries`, because deliveries are deleted with their response.
create table erasures (
  id uuid primary key,
  user_id uuid not null,
  connection_id uuid not null references integration_connections on delete cascade,
  provider text not null,
  -- 'event': tells a webhook that received the response.
  kind text not null check (kind in ('delete', 'unsubscribe', 'event')),
  -- Quizzes whose ledger shows the erasure.
  quiz_ids uuid[] not null,
  -- Erased address, or participant of an event, as JSON. The encryption is bound to this row. Deleted when the erasure is
  -- done, and after thirty days at the latest.
  sealed_person bytea,
  -- Incremented by each rotation of SECRET_KEY and covered by the encryption.
  key_version integer not null default 1,
  -- The tool's id of the contact, deleted with `sealed_person`.
  vendor_contact_id text,
  status text not null default 'pending' check (status in ('pending', 'done', 'refused')),
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz,
  -- Deadline, extended by the time during which the connection cannot be used.
  give_up_at timestamptz not null,
  attempts smallint not null default 0,
  lease_id uuid,
  lease_until timestamptz,
  -- Machine-readable outcome of the last attempt.
  last_code text,
  settled_at timestamptz,
  check ((kind = 'event') = (provider = 'webhook')),
  check (status <> 'pending' or (sealed_person is not null and next_attempt_at is not null)),
  check (status <> 'done' or (sealed_person is null and vendor_contact_id is null))
);
create index erasures_due on erasures (connection_id, next_attempt_at) where status = 'pending';
create index erasures_listed on erasures (user_id, created_at desc, id);
create index on erasures (connection_id);


-- ============================================================================================================
-- Audit log
-- ============================================================================================================

-- Actions on accounts, quizzes and keys, for the administrator of the server (docs/decisions/021).
create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  event text not null check (event ~ '^[a-z_]{1,40}$'),
  outcome text not null default 'ok' check (outcome in ('ok', 'refused', 'failed')),
  actor_id uuid,
  session_id uuid,
  -- Network of the client, not its address: /24 of IPv4, /48 of IPv6.
  address cidr,
  object_id text check (length(object_id) <= 100),
  request_id text check (length(request_id) <= 100),
  -- HMAC of an email address; the address itself is not stored.
  email_hmac text check (length(email_hmac) = 43),
  detail text check (length(detail) <= 100)
);
create index on audit_events (at);

-- Makes the log append-only: rows cannot be changed, and can be deleted only after twelve months.
create function protect_audit_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '12 months' then
    return old;
  end if;
  raise exception 'audit events cannot be changed, and can be deleted only after twelve months';
end
$$;
create trigger protect_audit_events before update or delete on audit_events
  for each row execute function protect_audit_events();
create trigger protect_all_audit_events before truncate on audit_events
  for each statement execute function protect_audit_events();
