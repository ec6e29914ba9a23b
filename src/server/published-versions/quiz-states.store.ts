import { sql } from 'kysely'
import { accountCountry } from '#domain/common/phone-countries.ts'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import {
  type ConsentKind,
  DEFAULT_CONSENT_TEXTS,
  DEFAULT_MEASURE_TEXT,
} from '#domain/questionnaire/consent/consent.ts'
import type { Consent } from '#domain/questionnaire/snapshot.ts'
import type { QuestionNotes } from '#domain/run/question-notes.ts'
import type { Db } from '#server/db/database.ts'
import { CREATOR_TIME_ZONE, IS_UNOPENED, REMAINING_PLACES } from './quiz-limits.ts'

/** Publication state of a quiz, and the notes that its visitors see at questions. */
export type QuizState = QuestionNotes & {
  id: string
  status: string
  published_version: number | null
  slug: string | null
  /** True if the quiz has ended, by the clock and the counters of the database. */
  is_closed: boolean
  closed_text: string | null
  /** Time at which the quiz opens, and the time zone of its creator; both null if it is open. */
  opens_at: string | null
  time_zone: string | null
  parameters: string[]
  keeps_page: boolean
  confirms_email: boolean
}

/** Returns the states of the given quizzes. Unknown quizzes are left out. */
export const findStates = async (db: Db, quiz_ids: string[]): Promise<QuizState[]> => {
  const rows = await readStates(db, quiz_ids)
  const wordings = rows.flatMap(newWordingsOf)
  const known = wordings.length === 0 ? rows : await keepTexts(db, quiz_ids, wordings)
  return known.map((row) => {
    const { text, version, measure_text, measure_version, ...rest } = row
    const { chosen_country, creator_zone, ...state } = rest
    return {
      ...state,
      country: accountCountry(chosen_country, creator_zone ?? DEFAULT_TIME_ZONE),
      consent: consentOf(text, version),
      measure: consentOf(measure_text, measure_version),
    }
  })
}

const consentOf = (text: string | null, version: number | null): Consent | null =>
  text === null || version === null ? null : { text, version }

type StateRow = Omit<QuizState, 'consent' | 'measure' | 'country'> & {
  text: string | null
  version: number | null
  measure_text: string | null
  measure_version: number | null
  chosen_country: string | null
  creator_zone: string | null
}

/** Wording that is shown from now on. */
type NewWording = { id: string; kind: ConsentKind; text: string }

/** Returns the texts of a quiz that have no number yet. */
const newWordingsOf = (row: StateRow): NewWording[] => {
  const { id, text, version, measure_text, measure_version } = row
  return [
    ...(text !== null && version === null ? [{ id, kind: 'forwarding' as const, text }] : []),
    ...(measure_text !== null && measure_version === null
      ? [{ id, kind: 'measure' as const, text: measure_text }]
      : []),
  ]
}

/**
 * Reads the states. A quiz asks for consent while it forwards to an email tool, unless `consent_mode` says that
 * the quiz itself is a request for it. The second consent is asked for while the quiz forwards or mails participants.
 */
const readStates = async (db: Db, quiz_ids: readonly string[]): Promise<StateRow[]> => {
  const { rows } = await sql<StateRow>`
    select id, quizzes.status, published_version, slug, closed_text, parameters, keeps_page, confirms_email,
      asked.text, consent_texts.version, measured.text as measure_text, measure_texts.version as measure_version,
      settings.country as chosen_country, settings.time_zone as creator_zone, is_mailed,
      (closes_at <= now()) is true or (${sql.raw(REMAINING_PLACES)} <= 0) is true as is_closed,
      case when ${sql.raw(IS_UNOPENED)} then opens_at end as opens_at,
      case when ${sql.raw(IS_UNOPENED)} then ${sql.raw(CREATOR_TIME_ZONE)} end as time_zone
    from quizzes
    left join creator_settings as settings on settings.user_id = quizzes.creator_id
    cross join lateral (
      select exists (
        select from integration_connections as mail
        where mail.quiz_id = quizzes.id and provider = 'mail' and mail.status <> 'disconnected'
      ) as is_mailed, exists (
        select from quiz_integrations as forwarded
        join integration_connections as connection using (provider)
        where forwarded.quiz_id = quizzes.id and enabled
          and connection.user_id = quizzes.creator_id and connection.status <> 'disconnected'
      ) as is_forwarded
    ) as use
    left join lateral (
      select coalesce(
        consent_text,
        case quizzes.type
          when 'sondage' then ${DEFAULT_CONSENT_TEXTS.sondage} else ${DEFAULT_CONSENT_TEXTS.quiz}
        end
      ) as text
      where consent_mode = 'box' and is_forwarded
    ) as asked on true
    left join lateral (
      select coalesce(quizzes.measure_text, ${DEFAULT_MEASURE_TEXT}) as text
      where measure_consent and (is_forwarded or is_mailed)
    ) as measured on true
    left join consent_texts on consent_texts.quiz_id = id and consent_texts.kind = 'forwarding'
      and consent_texts.text = asked.text
    left join consent_texts as measure_texts on measure_texts.quiz_id = id and measure_texts.kind = 'measure'
      and measure_texts.text = measured.text
    where id = any(${quiz_ids}::uuid[])
  `.execute(db)
  return rows
}

/**
 * Stores consent texts before they are shown for the first time. Another process may store the same text at the
 * same time.
 */
const keepTexts = async (
  db: Db,
  quiz_ids: readonly string[],
  wordings: readonly NewWording[],
): Promise<StateRow[]> => {
  await sql`
    insert into consent_texts (quiz_id, kind, version, text)
    select quizzes.id, wording.kind, 1 + coalesce(
      (select max(version) from consent_texts where quiz_id = quizzes.id and kind = wording.kind), 0
    ), wording.text
    from jsonb_to_recordset(${JSON.stringify(wordings)}::jsonb) as wording(id uuid, kind text, text text)
    join quizzes using (id)
    order by id, wording.kind
    on conflict do nothing
  `.execute(db)
  return readStates(db, quiz_ids)
}
