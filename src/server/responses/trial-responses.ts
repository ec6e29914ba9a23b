import { sql } from 'kysely'
import { z } from 'zod'
import { searchedEmail } from '#domain/common/addresses.ts'
import type { StoredReplies } from '#domain/run/stored-replies.ts'
import {
  MAX_TRIAL_RUNS,
  TRIAL_LINK_HOURS,
  TRIAL_RUN_RETENTION_DAYS,
} from '#domain/run/trial-runs.ts'
import type { Db } from '#server/db/database.ts'
import { createSignedTokens, type SignedTokens } from '#server/runtime/sealing.ts'
import type { Submissions } from './submission-queue.ts'
import type { Submission } from './submission-statement.ts'
import type { ExistingParticipant, Outcome, Participant } from './submissions.store.ts'

/** The owner of the quiz, and when the link expires (milliseconds). */
const grant = z.object({ creator_id: z.guid(), expires_at: z.number() })

export type TrialLinks = {
  /** A new token that opens the creator's quiz as a test, and when it expires. */
  write: (owned: { quiz_id: string; creator_id: string }) => { token: string; expires_at: Date }
  /** Whose token opens this quiz as a test; undefined of one that is altered, expired or of another quiz. */
  read: (quiz_id: string, token: string) => string | undefined
}

/** Writes and reads what makes a run a test: signed with a key of each quiz's own, so that nothing is stored. */
export const createTrialLinks = (secretKey: string | Uint8Array): TrialLinks => {
  const tokensOf = (quiz_id: string): SignedTokens<z.output<typeof grant>> =>
    createSignedTokens(secretKey, `taking/tests/${quiz_id}`, grant)
  return {
    write: ({ quiz_id, creator_id }) => {
      const expires_at = Date.now() + TRIAL_LINK_HOURS * 3_600_000
      const token = tokensOf(quiz_id).write({ creator_id, expires_at })
      return { token, expires_at: new Date(expires_at) }
    },
    read: (quiz_id, token) => {
      const given = tokensOf(quiz_id).read(token)
      return given && given.expires_at > Date.now() ? given.creator_id : undefined
    },
  }
}

/** Whether a quiz is this creator's. */
export const isOwner = async (
  db: Db,
  { quiz_id, creator_id }: { quiz_id: string; creator_id: string },
): Promise<boolean> => {
  const row = await db
    .selectFrom('quizzes')
    .select('id')
    .where('id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .executeTakeFirst()
  return row !== undefined
}

/** What is stored of a test run, known by the id that its page has as its participant's; undefined when nothing is. */
export const findTrialResponse = async (
  db: Db,
  { quiz_id, participant_uuid }: Participant,
): Promise<(ExistingParticipant & StoredReplies) | undefined> => {
  const row = await db
    .selectFrom('trial_responses')
    .select(['version', 'result_position', 'choices', 'texts'])
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', participant_uuid)
    .executeTakeFirst()
  return row && { kind: 'known', ...row }
}

/**
 * Stores a test run of a published quiz once, beside its participants and counted with none of them; the oldest beyond
 * the most that a quiz keeps go. Limits and closing dates are the participants'.
 */
const storeTrialResponse = async (
  db: Db,
  submission: Submission,
): Promise<Extract<Outcome, { kind: 'stored' | 'known' | 'unpublished' | 'gone' }>> => {
  const { quiz_id, participant_uuid, version, email, result_position, score } = submission
  const { choices, texts, elapsed_seconds, consent_version, parameters } = submission
  const { rows } = await sql`
    insert into trial_responses (
      quiz_id, id, version, email, result_position, score, choices, texts, elapsed_seconds,
      consent_version, parameters
    )
    select quizzes.id, ${participant_uuid}, ${version}::integer, ${email},
      ${result_position}::smallint, ${score}::integer, ${choices}::smallint[], ${texts}::text[],
      ${elapsed_seconds}::integer,
      case when ${consent_version}::integer > 0 then coalesce(shown.version, 0)
        else ${consent_version}::integer end,
      ${parameters && JSON.stringify(parameters)}::jsonb
    from quizzes left join consent_texts as shown
      on shown.quiz_id = quizzes.id and shown.version = ${consent_version}::integer
    where quizzes.id = ${quiz_id} and status = 'Publié'
    on conflict (quiz_id, id) do nothing
    returning id
  `.execute(db)
  if (rows.length > 0) {
    await forgetBeyond(db, quiz_id)
    return { kind: 'stored' }
  }
  const known = await findTrialResponse(db, { quiz_id, participant_uuid })
  if (known) return known
  const quiz = db.selectFrom('quizzes').select('id').where('id', '=', quiz_id)
  return { kind: (await quiz.executeTakeFirst()) ? 'unpublished' : 'gone' }
}

const forgetBeyond = async (db: Db, quiz_id: string): Promise<void> => {
  await db
    .deleteFrom('trial_responses')
    .where('quiz_id', '=', quiz_id)
    .where('id', 'in', (of) =>
      of
        .selectFrom('trial_responses')
        .select('id')
        .where('quiz_id', '=', quiz_id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_TRIAL_RUNS),
    )
    .execute()
}

/** Deletes the test runs that are too old to be of use. */
export const deleteOldTrialResponses = async (db: Db): Promise<void> => {
  await db
    .deleteFrom('trial_responses')
    .where(
      'created_at',
      '<',
      sql<string>`now() - make_interval(days => ${TRIAL_RUN_RETENTION_DAYS})`,
    )
    .execute()
}

/** Deletes the test runs in which an address was given to the quizzes of this creator. */
export const deleteTrialResponsesOf = async (
  db: Db,
  { creator_id, email }: { creator_id: string; email: string },
): Promise<void> => {
  await db
    .deleteFrom('trial_responses')
    .where('quiz_id', 'in', (of) =>
      of.selectFrom('quizzes').select('id').where('creator_id', '=', creator_id),
    )
    .where(sql<boolean>`lower(email) in (lower(${searchedEmail(email)}), lower(${email}))`)
    .execute()
}

/** What test runs need: who may open them, and where they are stored instead of the submissions. */
export type TrialRuns = {
  links: TrialLinks
  submissions: Pick<Submissions, 'submit' | 'find'>
  /** Whether a token opens this quiz as a test, now and for its owner. */
  isOpenedBy: (quiz_id: string, token: string) => Promise<boolean>
}

/** Test runs go the way of a submission (submit-response.ts), and are stored apart. */
export const createTrialRuns = (db: Db, links: TrialLinks): TrialRuns => ({
  links,
  submissions: {
    submit: (submission) => storeTrialResponse(db, submission),
    find: (who) => findTrialResponse(db, who),
  },
  isOpenedBy: async (quiz_id, token) => {
    const creator_id = links.read(quiz_id, token)
    return creator_id !== undefined && isOwner(db, { quiz_id, creator_id })
  },
})
