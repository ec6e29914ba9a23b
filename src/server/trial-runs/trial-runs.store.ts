import { sql } from 'kysely'
import type { ChannelName, ProviderName } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { INITIAL_STATUS } from '#server/responses/consent.store.ts'

type Key = { quiz_id: string; run_id: string }

/** Trial run in the list. */
export type ListedTrialRun = {
  id: string
  created_at: string
  version: number
  email: string | null
  result_name: string | null
}

/** Lists the trial runs of a quiz, newest first. */
export const listTrialRuns = (db: Db, quiz_id: string): Promise<ListedTrialRun[]> =>
  db
    .selectFrom('trial_responses as run')
    .leftJoin('version_results as taken', (join) =>
      join.onRef('taken.quiz_id', '=', 'run.quiz_id').onRef('taken.version', '=', 'run.version'),
    )
    .select(['id', 'created_at', 'run.version', 'email'])
    .select(
      sql<string | null>`taken.results -> result_position::integer ->> 'name'`.as('result_name'),
    )
    .where('run.quiz_id', '=', quiz_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Returns a stored trial run; undefined if there is none. */
export const findTrialRun = (db: Db, { quiz_id, run_id }: Key) =>
  db
    .selectFrom('trial_responses')
    .select(['id', 'created_at', 'version', 'email', 'result_position', 'score'])
    .select(['choices', 'texts', 'elapsed_seconds', 'consent_version'])
    .select(['parameters', 'measure_version'])
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', run_id)
    .executeTakeFirst()

/** Destination of a quiz, with the initial status of a delivery for a participant with the answers of a trial run. */
export type TrialDestination = {
  provider: ChannelName
  connection_id: string
  status: 'pending' | 'no_email' | 'no_consent' | 'awaiting_confirmation'
  connection: 'active' | 'needs_attention' | 'paused'
  status_reason: string | null
  user_id: string
  vendor_account_id: string | null
  /** URL of a webhook; null for a tool. */
  url: string | null
}

/** Lists the destinations of a quiz. The initial status uses the SQL expression for participants. */
export const listTrialDestinations = async (
  db: Db,
  { quiz_id, run_id }: Key,
): Promise<TrialDestination[]> => {
  const { rows } = await sql<TrialDestination>`
    select deliveries_of_run.provider, connection_id, deliveries_of_run.status, connection.status as connection,
      status_reason, connection.user_id, vendor_account_id, url
    from (
      select provider, connection_id, ${sql.raw(INITIAL_STATUS)} as status
      from (select quiz_id, provider, connection_id from forwardings) as destinations
      join (
        select quiz_id, email, consent_version, consent_mode,
          case
            when confirms_email and email is not null and consent_version is distinct from 0 then 'waiting'
          end as email_confirmation
        from trial_responses join quizzes on quizzes.id = quiz_id
        where quiz_id = ${quiz_id} and trial_responses.id = ${run_id}
      ) as run using (quiz_id)
    ) as deliveries_of_run
    join integration_connections as connection on connection.id = connection_id
    left join webhooks using (connection_id)
    order by connection.created_at, connection_id
  `.execute(db)
  return rows
}

/** Lists the tools connected by the creator of a quiz. */
export const listConnectedTools = async (
  db: Db,
  creator_id: string,
): Promise<{ provider: ProviderName; connection_id: string }[]> =>
  db
    .selectFrom('integration_connections')
    .select(['provider', 'id as connection_id'])
    .where('user_id', '=', creator_id)
    .where('quiz_id', 'is', null)
    .where('status', '<>', 'disconnected')
    .orderBy('created_at')
    .$narrowType<{ provider: ProviderName }>()
    .execute()
