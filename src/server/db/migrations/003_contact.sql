-- Contact data of participants, fields of email tools, and more kinds of labels.

-- Part of the contact data that the reply to the question is. The type of the question decides whether it counts.
alter table questions add column contact_role text
  check (contact_role in ('first_name', 'last_name', 'phone'));

-- Replies to the questions with a role, on one line and of limited length, as the version of the response has them.
alter table responses add column first_name text, add column last_name text, add column phone text;

-- Kind of the label, as domain/deliveries/automations.ts lists them; null: tag, or list at Brevo.
alter table automations add column label_kind text
  check (label_kind in ('course', 'community', 'sequence', 'form'));
drop index automations_once;
create unique index automations_once on automations (
  quiz_id, provider, coalesce(result_id, answer_id), coalesce(label_kind, ''), lower(label_name),
  coalesce(vendor_id, '')
);

-- Fields of a tool that receive a reply, the score or the result, in addition to the field of the result. They apply at
-- once and belong to no version.
create table field_mappings (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  provider text not null check (provider in ('convertkit', 'systemio', 'brevo')),
  source text not null check (source in ('question', 'score', 'result')),
  -- No foreign key, because a mapping survives the deletion of its question, which can be undone.
  question_id uuid,
  field_name text not null check (char_length(field_name) between 1 and 100),
  -- The tool's key of the field; null: not found or created yet.
  field_key text,
  -- Type of the field, which decides how a value is written.
  field_type text not null default 'text' check (field_type in ('text', 'number', 'date')),
  -- Reason why the tool refuses the field, so that the field is not requested again for each participant.
  refused_code text,
  created_at timestamptz not null default now(),
  check ((source = 'question') = (question_id is not null))
);
create unique index field_mappings_once on field_mappings (quiz_id, provider, lower(field_name));

-- A refused field is no longer only the field of a parameter. The code of a refused field of the result has its own name.
update deliveries set last_code = 'result_field_refused' where last_code = 'field_refused';
update deliveries set last_code = 'field_refused' where last_code = 'parameter_refused';
update delivery_attempts set code = 'result_field_refused' where code = 'field_refused';
update delivery_attempts set code = 'field_refused' where code = 'parameter_refused';

-- Words of a name for searching: lower case, without accents; hyphens, apostrophes and other signs separate words.
create function name_words(name text) returns text[] immutable parallel safe cost 1000 language plpgsql as $$
declare
  folded text = name;
begin
  -- Most names are ASCII. Only UTF-8 databases can normalize the others.
  if octet_length(name) > length(name) and getdatabaseencoding() = 'UTF8' then
    folded = regexp_replace(normalize(left(name, 400), NFD), '[\u0300-\u036f]', '', 'g');
    folded = regexp_replace(regexp_replace(folded, '[\u0152\u0153]', 'oe', 'g'), '[\u00c6\u00e6]', 'ae', 'g');
    folded = regexp_replace(regexp_replace(folded, '[\u00d8\u00f8]', 'o', 'g'), '[\u0141\u0142]', 'l', 'g');
    folded = regexp_replace(folded, '[\u00ab\u00b4\u00b7\u00bb\u2010-\u2015\u2018\u2019]', ' ', 'g');
    folded = left(folded, 400);
  end if;
  folded = translate(lower(folded), E'''`-.,;:()[]{}"/\\_|&+*=<>!?@#%~^$\t\n', repeat(' ', 40));
  return array_remove(string_to_array(folded, ' '), '');
end
$$;

-- Digits of a phone number without the first zero or the code of France: « 612345678 » for +33 6 12 34 56 78.
create function phone_digits(phone text) returns text immutable parallel safe language sql
return ltrim(
  regexp_replace(regexp_replace(phone, '[^0-9]', '', 'g'), '^(00)?33(0?[0-9]{9})$', '\2'), '0'
);

-- Words of the contact data of a response. Each begins with the end of the quiz id, so that an index holds the words of
-- a quiz together. The body is bound when the function is created, because ANALYZE does not search the schema.
create function contact_words(quiz_id uuid, first_name text, last_name text, phone text)
returns tsvector immutable parallel safe language sql
return array_to_tsvector(string_to_array(
  right(quiz_id::text, 8) || array_to_string(
    name_words(coalesce(first_name || ' ' || last_name, first_name, last_name, '')) || phone_digits(phone),
    ' ' || right(quiz_id::text, 8)
  ), ' '
));

-- Query for the responses of a quiz with words that begin with each of these words; null without a word.
create function contact_query(quiz_id uuid, words text[]) returns tsquery immutable parallel safe language sql
return (
  select string_agg(quote_literal(right(quiz_id::text, 8) || word) || ':*', ' & ')::tsquery
  from unnest(words) as word
);

-- Finds responses by the words of their contact data. The pending list is as small as that of `responses_by_parameter`.
create index responses_by_contact on responses using gin (contact_words(quiz_id, first_name, last_name, phone))
  with (gin_pending_list_limit = 64)
  where first_name is not null or last_name is not null or phone is not null;
