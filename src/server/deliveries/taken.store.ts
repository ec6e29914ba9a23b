import { type Taken, takenOf } from '#domain/automations.ts'
import type { ParameterValues } from '#domain/parameters.ts'
import type { Db } from '#server/db/database.ts'
import { findKeptVersion } from '#server/quizzes/version-memory.ts'

/** What a contact has of a participant besides the result. */
export type TakenWithParameters = Taken & { parameters: ParameterValues | null }

/** Gives what decides over the labels of a participant, and where they came from; undefined when they are gone. */
export type TakenBy = (key: {
  quiz_id: string
  participant_uuid: string
}) => Promise<TakenWithParameters | undefined>

/** Reads the participant, and the version that they took. */
export const createTakenBy = (db: Db): TakenBy => {
  return async ({ quiz_id, participant_uuid }) => {
    const row = await db
      .selectFrom('responses')
      .select(['version', 'result_position', 'choices', 'texts', 'parameters'])
      .where('quiz_id', '=', quiz_id)
      .where('participant_uuid', '=', participant_uuid)
      .executeTakeFirst()
    const snapshot = row && (await findKeptVersion(db, quiz_id, row.version))
    return snapshot && { ...takenOf(snapshot, row), parameters: row.parameters }
  }
}
