import type { ColumnType, Generated } from 'kysely'
import type {
  CampaignStatus,
  InvitationRefusal,
  InvitationState,
} from '#domain/campaigns/campaign.ts'
import type { CampaignWords } from '#domain/campaigns/campaign-mail.ts'
import type { Person } from '#domain/campaigns/people.ts'
import type { EvidenceFailure, EvidenceStatus } from '#domain/evidence/evidence.ts'
import type { OptionalTimestamp, Timestamp } from './response-tables.ts'

/** Tables of campaigns and their invitations (docs/decisions/083), and of files for an audit (docs/decisions/085). */
export type CampaignTables = {
  campaigns: CampaignWords & {
    quiz_id: string
    id: string
    name: string
    is_anonymous: boolean
    reminder_days: number[]
    starts_at: Timestamp
    ends_at: Timestamp
    status: Generated<CampaignStatus>
    ended_at: OptionalTimestamp
    created_at: Timestamp
    sealed_replies: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
    nb_deleted_replies: Generated<number>
    before_quiz_id: string | null
    before_campaign_id: string | null
    actions_text: Generated<string>
  }
  invitations: Person & {
    quiz_id: string
    id: string
    campaign_id: string
    mailbox_hash: Buffer
    token_hash: Buffer
    opened_at: OptionalTimestamp
    started_at: OptionalTimestamp
    replied_at: OptionalTimestamp
    refused_at: OptionalTimestamp
    refusal: InvitationRefusal | null
    failed_code: string | null
    state: ColumnType<InvitationState, never, never>
    participant_uuid: string | null
    run_secret_hash: Buffer | null
    sealed_progress: Buffer | null
    step: Generated<number>
    next_attempt_at: OptionalTimestamp
    sent_at: Generated<(string | null)[]>
    give_up_at: OptionalTimestamp
    attempts: Generated<number>
    lease_id: string | null
    lease_until: OptionalTimestamp
    last_code: string | null
    is_counted: Generated<boolean>
    is_mailed: Generated<boolean>
  }
  evidence_files: {
    quiz_id: string
    id: string
    campaign_id: string
    creator_id: string
    status: Generated<EvidenceStatus>
    failure: EvidenceFailure | null
    nb_done: Generated<number>
    nb_total: number
    size_bytes: number | null
    created_at: Timestamp
    written_at: Timestamp
    expires_at: Timestamp
  }
  evidence_pieces: { quiz_id: string; file_id: string; rank: number; sealed: Buffer }
}
