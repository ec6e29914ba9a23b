import { DEFAULT_CONSENT_TEXT, type EmailNotes } from '#domain/consent.ts'
import type { Quiz } from '#domain/quiz.ts'
import type { Consent } from '#domain/snapshot.ts'
import { MAIL } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'

type Asked = Pick<Quiz, 'id' | 'consent_mode' | 'consent_text'>

/** What visitors would find at the email question, were the draft published now; its owner is known. */
export const previewNotes = async (db: Db, quiz: Asked): Promise<EmailNotes> => {
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
