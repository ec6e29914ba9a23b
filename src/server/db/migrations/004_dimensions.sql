-- Dimensions of a quiz by score, and conditional texts.

alter table quizzes add column dimension_chart text not null default 'bars'
  check (dimension_chart in ('none', 'bars', 'radar'));

create table dimensions (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  name text not null,
  description text,
  -- Rank among the dimensions, from 0.
  position integer not null,
  -- Ranges of percentages with title and text (domain/questionnaire/dimensions.ts). They are written and read as a whole.
  tiers jsonb not null default '[]'
);
create index on dimensions (quiz_id);

-- Dimension to which the question belongs. No foreign key, because one save can add both in any order.
alter table questions add column dimension_id uuid;

create table text_variants (
  id uuid primary key,
  quiz_id uuid not null references quizzes on delete cascade,
  place text not null check (place in ('result', 'every_result', 'end', 'mail')),
  -- Result that shows the text; only for the place 'result'. The draft drops the text with its result.
  result_id uuid,
  -- Rank among all texts of the quiz, from 0.
  position integer not null,
  joined_by text not null default 'and' check (joined_by in ('and', 'or')),
  -- Conditions (domain/questionnaire/text-variants.ts). They are written and read as a whole.
  conditions jsonb not null default '[]',
  text text not null,
  button_text text,
  button_url text,
  check ((place = 'result') = (result_id is not null))
);
create index on text_variants (quiz_id);

-- Percent of each dimension of the version, in order; null for a dimension without a range in this run. The column is null
-- without dimensions.
alter table responses add column dimension_percents smallint[];

-- Responses by percent of a dimension. `rank` is the index in `responses.dimension_percents`, from 1.
create table dimension_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  rank smallint not null,
  percent smallint not null,
  count bigint not null,
  primary key (quiz_id, version, rank, percent)
);

-- A rule may concern the participants with a tier of a dimension. No foreign key, because a rule survives the deletion of
-- its subject, which can be undone.
alter table automations add column dimension_id uuid, add column tier_id uuid,
  drop constraint automations_check, drop constraint automations_check1,
  add check (num_nonnulls(result_id, answer_id, tier_id) = 1),
  add check ((question_id is null) = (answer_id is null)),
  add check ((dimension_id is null) = (tier_id is null));
drop index automations_once;
create unique index automations_once on automations (
  quiz_id, provider, coalesce(result_id, answer_id, tier_id), coalesce(label_kind, ''), lower(label_name),
  coalesce(vendor_id, '')
);

-- A field may receive the percent of a dimension.
alter table field_mappings add column dimension_id uuid,
  drop constraint field_mappings_source_check, drop constraint field_mappings_check,
  add check (source in ('question', 'score', 'result', 'dimension')),
  add check ((source = 'question') = (question_id is not null)),
  add check ((source = 'dimension') = (dimension_id is not null));
