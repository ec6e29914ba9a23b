import { fieldNameOf } from '#domain/integrations.ts'
import type { ProviderName } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { sendLostAgain } from './lost-results.store.ts'
import { credential } from './providers/failures.ts'
import type { Failure, OpenConnection, Provider } from './providers/provider.ts'
import { provisionQuizFields, type QuizFields } from './quiz-fields.ts'
import { loadFieldNeeds, writeFields } from './switches.store.ts'

type Needs = {
  db: Db
  use: (
    connection_id: string,
    act: (connection: OpenConnection, provider: Provider) => Promise<QuizFields | Failure>,
  ) => Promise<QuizFields | Failure>
  now?: () => Date
}

/**
 * Finds or makes the fields of a quiz at a tool, those of these parameters too, and keeps what they are called there.
 * Results that went into a field that is gone are sent again.
 */
export type ProvisionQuiz = (
  key: { quiz_id: string; provider: ProviderName },
  parameters?: readonly string[],
  isLate?: OpenConnection['isLate'],
) => Promise<QuizFields | Failure>

/** Gives how to provision by connections that `use` opens. */
export const createProvisionQuiz =
  ({ db, use, now = () => new Date() }: Needs): ProvisionQuiz =>
  async (key, parameters = [], isLate = undefined) => {
    const needs = await loadFieldNeeds(db, key)
    if (!needs) return credential('reconnect')
    const field_name = fieldNameOf(key.provider, needs)
    return use(needs.connection_id, async (opened, provider) => {
      const connection = { ...opened, ...(isLate && { isLate }) }
      const provisioned_at = now()
      const sendAgain = () => sendLostAgain(db, { connection, field_name }, now())
      // Before it is made: a process that ends in between leaves nothing that looks as though it were well.
      const wanted = { field_name, parameters, beforeMaking: sendAgain }
      const fields = await provisionQuizFields(provider, connection, wanted)
      if (fields.kind !== 'provisioned') return fields
      // And what went into nothing until it was made.
      if (fields.is_new) await sendAgain()
      await writeFields(db, key, { ...fields, provisioned_at }, connection)
      return fields
    })
  }
