import { type RawBuilder, sql } from 'kysely'
import { accountCountry } from '#domain/common/phone-countries.ts'
import { MAIL, PROVIDERS } from '#domain/common/vocabulary.ts'
import {
  DEFAULT_CONSENT_TEXTS,
  DEFAULT_MEASURE_TEXT,
} from '#domain/questionnaire/consent/consent.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import type { QuestionNotes } from '#domain/run/question-notes.ts'
import { findPreferences } from '#server/account/account.store.ts'
import type { Db } from '#server/db/database.ts'

const hasAgreed = (consent_mode: string): string =>
  `(consent_version > 0 or (${consent_mode} = 'requested' and consent_version is null))`

/**
 * SQL condition: the participant ticked the box, or the quiz announced the transfer without a box
 * (docs/decisions/018).
 */
export const HAS_AGREED = hasAgreed('consent_mode')

/** Returns the SQL condition that a participant left an address and may be forwarded under the consent mode. */
export const isForwardable = (consent_mode: Quiz['consent_mode']): RawBuilder<boolean> =>
  sql<boolean>`(email is not null and ${sql.raw(hasAgreed(`'${consent_mode}'`))})`

/** SQL condition: the quiz asks for consent now, but did not when the participant answered. */
export const WAS_NOT_ASKED = "(consent_mode = 'box' and consent_version is null)"

/**
 * SQL expression for the initial status of a delivery to an email tool or of a result mail, whose participant left an
 * address and agreed. Asked participants confirm the address first (docs/decisions/080).
 */
export const CONFIRMATION_STATUS = `case email_confirmation
        when 'waiting' then 'awaiting_confirmation' when 'expired' then 'not_confirmed' else 'pending'
      end`

/**
 * SQL expression for the initial status of a delivery. Webhooks and notices to the creator get every
 * participant (docs/decisions/041). The result mail needs an address, and an email tool also needs consent
 * (docs/decisions/043). Webhooks wait while a confirmation is awaited, and get the participant in every case.
 */
export const INITIAL_STATUS = `case
      when provider = 'notice' or provider = 'webhook' and email_confirmation is distinct from 'waiting' then 'pending'
      when provider = 'webhook' then 'awaiting_confirmation'
      when email is null then 'no_email'
      when provider = 'confirmation' and email_confirmation is not null then 'pending'
      when provider = 'mail' or provider <> 'confirmation' and ${HAS_AGREED} then ${CONFIRMATION_STATUS}
      else 'no_consent'
    end`

/** SQL expression for the seconds that `confirmation_clock` has counted. */
export const CONFIRMATION_TIME = 'coalesce((select elapsed_s from confirmation_clock), 0)'

/**
 * SQL columns of a new row of `email_confirmations`, and their values from `responses`. The row is written when the mail
 * has left or was refused, or at the press, so that submissions do not wait for it.
 */
export const CONFIRMATION_COLUMNS = 'quiz_id, participant_uuid, email, consent_version, asked_at'
export const CONFIRMATION_VALUES = `responses.quiz_id, responses.participant_uuid, responses.email,
  coalesce(responses.withdrawn_consent_version, responses.consent_version), responses.created_at`

/** SQL condition: the delivery goes to an email tool. */
export const IS_TOOL_DELIVERY = `provider in (${PROVIDERS.map((provider) => `'${provider}'`).join(', ')})`

type ConsentSettings = Pick<
  Quiz,
  'id' | 'type' | 'consent_mode' | 'consent_text' | 'measure_consent' | 'measure_text'
>

/**
 * Returns the notes that visitors would see at the questions if the draft were published. The caller has checked the
 * owner.
 */
export const previewNotes = async (
  db: Db,
  quiz: ConsentSettings,
  creator_id: string,
): Promise<QuestionNotes> => {
  const mail = await db
    .selectFrom('integration_connections')
    .select('id')
    .where('quiz_id', '=', quiz.id)
    .where('provider', '=', MAIL)
    .where('status', '<>', 'disconnected')
    .executeTakeFirst()
  const { country, time_zone } = await findPreferences(db, creator_id)
  const is_mailed = mail !== undefined
  return {
    ...(await previewConsents(db, quiz, is_mailed)),
    is_mailed,
    country: accountCountry(country, time_zone),
  }
}

/** Returns true if a text of the second consent was ever shown to the visitors of a quiz. The caller has checked the owner. */
export const hasShownMeasure = async (db: Db, quiz_id: string): Promise<boolean> => {
  const row = await db
    .selectFrom('consent_texts')
    .select('version')
    .where('quiz_id', '=', quiz_id)
    .where('kind', '=', 'measure')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the consents that visitors would be asked for if the draft were published. The caller has checked the owner. */
const previewConsents = async (
  db: Db,
  { id, type, consent_mode, consent_text, measure_consent, measure_text }: ConsentSettings,
  is_mailed: boolean,
): Promise<Pick<QuestionNotes, 'consent' | 'measure'>> => {
  const forwarded = await db
    .selectFrom('quiz_integrations as integration')
    .innerJoin('quizzes', 'quizzes.id', 'integration.quiz_id')
    .innerJoin('integration_connections as connection', (join) =>
      join
        .onRef('connection.user_id', '=', 'quizzes.creator_id')
        .onRef('connection.provider', '=', 'integration.provider'),
    )
    .select('integration.provider')
    .where('integration.quiz_id', '=', id)
    .where('integration.enabled', '=', true)
    .where('connection.status', '<>', 'disconnected')
    .executeTakeFirst()
  const isAsked = forwarded !== undefined && consent_mode === 'box'
  const isMeasured = (forwarded !== undefined || is_mailed) && measure_consent
  return {
    consent: isAsked ? { version: 0, text: consent_text ?? DEFAULT_CONSENT_TEXTS[type] } : null,
    measure: isMeasured ? { version: 0, text: measure_text ?? DEFAULT_MEASURE_TEXT } : null,
  }
}
