/** Rows written directly into the database of the attacked site, for states that would take hours to reach over HTTP. */
import pg from 'pg'
import { assertPrecondition } from '../runner/attack.ts'
import type { MeasuredSite } from '../runner/measured-site.ts'

const useDatabase = async <T>(
  { installation }: MeasuredSite,
  work: (database: pg.Client) => Promise<T>,
): Promise<T> => {
  const database = new pg.Client(installation.connection)
  await database.connect()
  try {
    return await work(database)
  } finally {
    await database.end()
  }
}

const VERSIONS_AT_ONCE = 20

/**
 * Adds versions of 800 kB to a quiz, and a participant of each version. A question has the large text, because figures
 * and exports leave out the texts of pages.
 */
export const addLargeVersions = (
  site: MeasuredSite,
  quiz_id: string,
  count: number,
): Promise<void> =>
  useDatabase(site, async (database) => {
    for (let first = 2; first <= count; first += VERSIONS_AT_ONCE)
      await database.query(
        `insert into quiz_versions (quiz_id, version, snapshot, image_ids, choice_questions, text_questions, nb_responses)
         select quiz_id, rank, jsonb_set(snapshot, '{questions,0,help_text}', to_jsonb(repeat('Texte ', 133000))),
           image_ids, choice_questions, text_questions, 1
         from quiz_versions, generate_series($2::int, $3) as rank where quiz_id = $1 and version = 1`,
        [quiz_id, first, Math.min(count, first + VERSIONS_AT_ONCE - 1)],
      )
    await database.query(
      `insert into responses (quiz_id, participant_uuid, version, result_position, choices, texts, email)
       select $1, gen_random_uuid(), rank, 0, '{0}', '{camille@exemple.fr}', 'camille@exemple.fr'
       from generate_series(2, $2::int) as rank`,
      [quiz_id, count],
    )
  })

/** Adds participants of the first version of a quiz. */
export const addParticipantRows = (
  site: MeasuredSite,
  quiz_id: string,
  count: number,
): Promise<void> =>
  useDatabase(site, async (database) => {
    await database.query(
      `insert into responses (quiz_id, participant_uuid, version, result_position, choices, texts)
       select $1, gen_random_uuid(), 1, 0, '{0}', array['p' || rank || '@exemple.fr']
       from generate_series(1, $2::int) as rank`,
      [quiz_id, count],
    )
    await database.query(
      'update quiz_versions set nb_responses = nb_responses + $2 where quiz_id = $1 and version = 1',
      [quiz_id, count],
    )
  })

/**
 * Gives one participant a version whose end page is damaged, as a faulty disk may leave it, so that the report cannot be
 * made.
 */
export const damageReport = (site: MeasuredSite, participant_uuid: string): Promise<void> =>
  useDatabase(site, async (database) => {
    await database.query(
      `insert into quiz_versions (quiz_id, version, snapshot, image_ids, choice_questions, text_questions, nb_responses)
       select quiz_id, 99, jsonb_set(snapshot, '{quiz,end_text}', '{"broken": true}'), image_ids, choice_questions,
         text_questions, 1
       from quiz_versions join responses using (quiz_id, version) where participant_uuid = $1`,
      [participant_uuid],
    )
    const { rowCount } = await database.query(
      'update responses set version = 99 where participant_uuid = $1',
      [participant_uuid],
    )
    assertPrecondition(rowCount === 1, 'no participant has a damaged version')
  })
