import { sql } from 'kysely'
import { accountCountry } from '#domain/common/phone-countries.ts'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { DEFAULT_CONSENT_TEXTS } from '#domain/questionnaire/consent/consent.ts'
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
  const unknown = rows.filter(({ text, version }) => text !== null && version === null)
  const known = unknown.length === 0 ? rows : await keepTexts(db, quiz_ids, unknown)
  return known.map(({ text, version, chosen_country, creator_zone, ...state }) => ({
    ...state,
    country: accountCountry(chosen_country, creator_zone ?? DEFAULT_TIME_ZONE),
    consent: text === null || version === null ? null : { text, version },
  }))
}

type StateRow = Omit<QuizState, 'consent' | 'country'> & {
  text: string | null
  version: number | null
  chosen_country: string | null
  creator_zone: string | null
}

/**
 * Reads the states. A quiz asks for consent while it forwards to an email tool, unless `consent_mode` says that
 * the quiz itself is a request for it.
 */
const readStates = async (db: Db, quiz_ids: readonly string[]): Promise<StateRow[]> => {
  const { rows } = await sql<StateRow>`
    select id, quizzes.status, published_version, slug, closed_text, parameters, keeps_page, confirms_email,
      asked.text,
      consent_texts.version,
      settings.country as chosen_country, settings.time_zone as creator_zone,
      exists (
        select from integration_connections as mail
        where mail.quiz_id = quizzes.id and provider = 'mail' and mail.status <> 'disconnected'
      ) as is_mailed,
      (closes_at <= now()) is true or (${sql.raw(REMAINING_PLACES)} <= 0) is true as is_closed,
      case when ${sql.raw(IS_UNOPENED)} then opens_at end as opens_at,
      case when ${sql.raw(IS_UNOPENED)} then ${sql.raw(CREATOR_TIME_ZONE)} end as time_zone
    from quizzes
    left join creator_settings as settings on settings.user_id = quizzes.creator_id
    left join lateral (
      select coalesce(
        consent_text,
        case quizzes.type
          when 'sondage' then ${DEFAULT_CONSENT_TEXTS.sondage} else ${DEFAULT_CONSENT_TEXTS.quiz}
        end
      ) as text
      where consent_mode = 'box' and exists (
        select from quiz_integrations as forwarded
        join integration_connections as connection using (provider)
        where forwarded.quiz_id = quizzes.id and enabled
          and connection.user_id = quizzes.creator_id and connection.status <> 'disconnected'
      )
    ) as asked on true
    left join consent_texts on consent_texts.quiz_id = id and consent_texts.text = asked.text
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
  unknown: readonly StateRow[],
): Promise<StateRow[]> => {
  const wordings = JSON.stringify(unknown.map(({ id, text }) => ({ id, text })))
  await sql`
    insert into consent_texts (quiz_id, version, text)
    select quizzes.id, 1 + coalesce(
      (select max(version) from consent_texts where quiz_id = quizzes.id), 0
    ), wording.text
    from jsonb_to_recordset(${wordings}::jsonb) as wording(id uuid, text text)
    join quizzes using (id)
    order by id
    on conflict do nothing
  `.execute(db)
  return readStates(db, quiz_ids)
}
