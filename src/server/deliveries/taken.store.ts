import { type Taken, takenOf } from '#domain/automations.ts'
import type { Db } from '#server/db/database.ts'
import { createVersionMemory } from '#server/quizzes/version-memory.ts'

/** Gives what decides over the labels of a participant; undefined when they are gone. */
export type TakenBy = (key: {
  quiz_id: string
  participant_uuid: string
}) => Promise<Taken | undefined>

/** Reads the participant, and the version that they took. */
export const createTakenBy = (db: Db): TakenBy => {
  const versionOf = createVersionMemory(db)
  return async ({ quiz_id, participant_uuid }) => {
    const row = await db
      .selectFrom('responses')
      .select(['version', 'result_position', 'choices', 'texts'])
      .where('quiz_id', '=', quiz_id)
      .where('participant_uuid', '=', participant_uuid)
      .executeTakeFirst()
    const snapshot = row && (await versionOf(quiz_id, row.version))
    return snapshot && takenOf(snapshot, row)
  }
}
