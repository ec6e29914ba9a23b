-- Whether a person is asked before their address goes to an email tool, and in which words.
alter table quizzes
  -- 'box': beside the address, an unticked box; 'requested': the quiz is the service asked for, no box.
  add column consent_mode text not null default 'box' check (consent_mode in ('box', 'requested')),
  -- Null: the product's own wording.
  add column consent_text text;

-- Every wording that visitors were shown, for ever: the proof of what they agreed to.
create table consent_texts (
  quiz_id uuid not null references quizzes on delete cascade,
  version integer not null,
  text text not null,
  created_at timestamptz not null default now(),
  primary key (quiz_id, version),
  unique (quiz_id, text)
);

-- The wording that the participant agreed to when they answered (created_at); 0: they were asked and did
-- not; null: nobody asked.
alter table responses add column consent_version integer;

create table consent_counts (
  quiz_id uuid not null references quizzes on delete cascade,
  consent_version integer not null,
  count bigint not null,
  primary key (quiz_id, consent_version)
);

-- Since when a quiz forwards without a break: who came before is not sent unasked.
alter table quiz_integrations add column enabled_since timestamptz;
update quiz_integrations set enabled_since = now() where enabled;

create function note_enabling() returns trigger language plpgsql as $$
begin
  if not new.enabled then
    new.enabled_since := null;
  elsif tg_op = 'INSERT' or not old.enabled then
    new.enabled_since := clock_timestamp();
  end if;
  return new;
end
$$;
create trigger integration_enabling before insert or update of enabled on quiz_integrations
for each row execute function note_enabling();

-- A public page shows the box while its quiz forwards: whatever changes that tells every process.
create trigger quiz_consent_changed
after update of consent_mode, consent_text on quizzes for each row
when (
  old.consent_mode is distinct from new.consent_mode
  or old.consent_text is distinct from new.consent_text
)
execute function notify_quiz_change();

create function notify_integration_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('quiz_changes', coalesce(new.quiz_id, old.quiz_id)::text);
  return null;
end
$$;
create trigger quiz_integration_changed
after insert or update of enabled or delete on quiz_integrations for each row
execute function notify_integration_change();

create function note_connection_change() returns trigger language plpgsql as $$
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
after update of status on integration_connections for each row execute function note_connection_change();
