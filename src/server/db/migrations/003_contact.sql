-- Contact data of participants, fields of email tools, and more kinds of labels.

-- Part of the contact data that the reply to the question is. The type of the question decides whether it counts.
alter table questions add column contact_role text
  check (contact_role in ('first_name', 'last_name', 'phone'));

-- Replies to the questions with a role in the version of the response, on one line and of limited length.
alter table responses add column first_name text, add column last_name text, add column phone text;

-- Kind of the label (domain/deliveries/label-kinds.ts); null: tag, or list at Brevo.
alter table automations add column label_kind text
  check (label_kind in ('course', 'community', 'sequence', 'form'));
drop index automations_once;
create unique index automations_once on automations (
  quiz_id, provider, coalesce(result_id, answer_id), coalesce(label_kind, ''), lower(label_name),
  coalesce(vendor_id, '')
);

-- Fields of a tool that receive a reply, the score or the result, besides the field of the result. They belong to no version.
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

-- Words of the contact data for searching (domain/run/contact-words.ts); null without contact data. Each follows the end
-- of the quiz id, so that an index holds the words of a quiz together. The server computes them, because a function of the
-- database would cost more than the rest of the row.
alter table responses add column contact_words tsvector;

create index responses_by_contact on responses using gin (contact_words)
  with (gin_pending_list_limit = 256) where contact_words is not null;
