import { DEFAULT_CONSENT_TEXT } from '#domain/consent.ts'
import type { Quiz } from '#domain/quiz.ts'
import type { Consent } from '#domain/snapshot.ts'
import type { Db } from '#server/db/database.ts'

/** What visitors would be asked to agree to, were the draft published now; its owner is known. */
export const previewConsent = async (
  db: Db,
  { id, consent_mode, consent_text }: Pick<Quiz, 'id' | 'consent_mode' | 'consent_text'>,
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
