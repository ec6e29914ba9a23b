import { MAIL, PROVIDERS } from '#domain/common/vocabulary.ts'
import { DEFAULT_CONSENT_TEXT, type EmailQuestionNotes } from '#domain/questionnaire/consent.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import type { Consent } from '#domain/questionnaire/snapshot.ts'
import type { Db } from '#server/db/database.ts'

/** SQL: whether a participant agreed, or was shown no box in a quiz that announces the transfer (docs/decisions/018). */
export const HAS_AGREED =
  "(consent_version > 0 or (consent_mode = 'requested' and consent_version is null))"

/** SQL: whether the quiz asks, and did not when the participant came. */
export const WAS_NOT_ASKED = "(consent_mode = 'box' and consent_version is null)"

/**
 * SQL: the first status of a delivery: pending, or, to an email tool, settled at once without an address or
 * consent. A webhook gets every participant (docs/decisions/042), and the creator hears of each; a participant with an
 * address gets the mail that the page announces, which is no tool's (docs/decisions/044).
 */
export const INITIAL_STATUS = `case
      when provider in ('webhook', 'notice') then 'pending'
      when email is null then 'no_email'
      when provider = 'mail' then 'pending'
      when ${HAS_AGREED} then 'pending'
      else 'no_consent'
    end`

/** SQL: whether a delivery goes to an email tool. */
export const IS_TOOL_DELIVERY = `provider in (${PROVIDERS.map((provider) => `'${provider}'`).join(', ')})`

type Asked = Pick<Quiz, 'id' | 'consent_mode' | 'consent_text'>

/** What visitors would find at the email question, were the draft published now; its owner is known. */
export const previewNotes = async (db: Db, quiz: Asked): Promise<EmailQuestionNotes> => {
  const mail = await db
    .selectFrom('integration_connections')
    .select('id')
    .where('quiz_id', '=', quiz.id)
    .where('provider', '=', MAIL)
    .where('status', '<>', 'disconnected')
    .executeTakeFirst()
  return { consent: await previewConsent(db, quiz), is_mailed: mail !== undefined }
}

/** What visitors would be asked to agree to, were the draft published now; its owner is known. */
export const previewConsent = async (
  db: Db,
  { id, consent_mode, consent_text }: Asked,
): Promise<Consent | null> => {
  if (consent_mode === 'requested') return null
  const forwarded = await db
    .selectFrom('quiz_integrations as forwarded')
    .innerJoin('quizzes', 'quizzes.id', 'forwarded.quiz_id')
    .innerJoin('integration_connections as connected', (join) =>
      join
        .onRef('connected.user_id', '=', 'quizzes.creator_id')
        .onRef('connected.provider', '=', 'forwarded.provider'),
    )
    .select('forwarded.provider')
    .where('forwarded.quiz_id', '=', id)
    .where('forwarded.enabled', '=', true)
    .where('connected.status', '<>', 'disconnected')
    .executeTakeFirst()
  return forwarded ? { version: 0, text: consent_text ?? DEFAULT_CONSENT_TEXT } : null
}
