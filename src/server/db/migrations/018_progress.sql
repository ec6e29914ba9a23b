-- Comparison of two campaigns (docs/decisions/087) and files for an audit (docs/decisions/085).

alter table campaigns
  -- Campaign of the same creator with which this one is compared; read only together with the owner of its quiz.
  add column before_quiz_id uuid,
  add column before_campaign_id uuid,
  -- Text « Actions menées » of the creator, for the audit.
  add column actions_text text not null default '',
  add check ((before_quiz_id is null) = (before_campaign_id is null)),
  add check (before_campaign_id is null or not is_anonymous);
create index campaigns_before on campaigns (before_quiz_id, before_campaign_id)
  where before_campaign_id is not null;

-- Files for an audit. Each campaign has at most one, and each account writes at most one at a time.
create table evidence_files (
  quiz_id uuid not null references all_quizzes on delete cascade,
  id uuid not null,
  campaign_id uuid not null,
  creator_id uuid not null,
  status text not null default 'writing' check (status in ('writing', 'ready', 'failed')),
  failure text check (failure in ('too_large', 'too_slow', 'interrupted', 'error')),
  nb_done integer not null default 0,
  nb_total integer not null,
  size_bytes integer,
  created_at timestamptz not null default now(),
  -- Last sign of life of the process that writes the file.
  written_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (quiz_id, id),
  foreign key (quiz_id, campaign_id) references campaigns on delete cascade,
  check ((status = 'failed') = (failure is not null)),
  check ((status = 'ready') = (size_bytes is not null))
);
create unique index evidence_files_campaign on evidence_files (quiz_id, campaign_id);
create unique index evidence_files_writing on evidence_files (creator_id) where status = 'writing';
create index evidence_files_expiring on evidence_files (expires_at);

-- Content of a file in pieces, each encrypted with a key of SECRET_KEY.
create table evidence_pieces (
  quiz_id uuid not null references all_quizzes on delete cascade,
  file_id uuid not null,
  rank integer not null,
  sealed bytea not null,
  primary key (quiz_id, file_id, rank),
  foreign key (quiz_id, file_id) references evidence_files on delete cascade
);

-- A file never outlives a reply or an invitation that it may contain, so that an erasure misses no copy.
create function delete_outdated_evidence() returns trigger language plpgsql as $$
begin
  delete from evidence_files using campaigns as campaign
  where (campaign.quiz_id, campaign.id) = (evidence_files.quiz_id, evidence_files.campaign_id)
    and (
      (campaign.quiz_id, campaign.id) in (select distinct quiz_id, campaign_id from deleted)
      or (campaign.before_quiz_id, campaign.before_campaign_id) in (
        select distinct quiz_id, campaign_id from deleted
      )
    );
  return null;
end
$$;

create trigger responses_evidence_outdated after delete on responses
referencing old table as deleted for each statement execute function delete_outdated_evidence();
create trigger invitations_evidence_outdated after delete on invitations
referencing old table as deleted for each statement execute function delete_outdated_evidence();
