import type { ProviderName } from '#domain/common/vocabulary.ts'
import { fieldNameOf } from '#domain/deliveries/integrations.ts'
import type { Db } from '#server/db/database.ts'
import { resendLostValues } from './lost-values.store.ts'
import type { Failure, OpenConnection, Provider } from './providers/provider.ts'
import { credential } from './providers/provider-requests.ts'
import { provisionQuizFields, type QuizFields } from './providers/provision-fields.ts'
import { loadFieldNeeds, writeFields } from './switches.store.ts'

type Dependencies = {
  db: Db
  use: (
    connection_id: string,
    act: (connection: OpenConnection, provider: Provider) => Promise<QuizFields | Failure>,
  ) => Promise<QuizFields | Failure>
  now?: () => Date
}

type ProvisionRequest = {
  /** Parameters whose fields are needed. Fields of mappings are always looked for. */
  parameters?: readonly string[]
  /** False if the field of the result may be missing. */
  needs_result?: boolean
  isLate?: OpenConnection['isLate']
}

/**
 * Finds or creates the fields of a quiz, of its mappings and of these parameters, and stores their keys. Schedules
 * participants again whose values were sent into a missing field.
 */
export type ProvisionQuiz = (
  key: { quiz_id: string; provider: ProviderName },
  request?: ProvisionRequest,
) => Promise<QuizFields | Failure>

/** Creates the provisioning function, which opens connections with `use`. */
export const createProvisionQuiz =
  ({ db, use, now = () => new Date() }: Dependencies): ProvisionQuiz =>
  async (key, { parameters = [], needs_result = true, isLate } = {}) => {
    const fieldNeeds = await loadFieldNeeds(db, key)
    if (!fieldNeeds) return credential('reconnect')
    const { connection_id, field_key, mappings, ...names } = fieldNeeds
    // A known field of the result is checked with the others, because one date is stored for all of them.
    const isWanted = needs_result || field_key !== null
    const field_name = isWanted ? fieldNameOf(key.provider, names) : null
    return use(connection_id, async (opened, provider) => {
      const connection = { ...opened, ...(isLate && { isLate }) }
      const provisioned_at = now()
      const resend = (name: string) => resendLostValues(db, { connection, field_name: name }, now())
      // Values are scheduled before the field is created, so that a killed process loses none of
      // them.
      const request = { field_name, needs_result, parameters, mappings, beforeMaking: resend }
      const fields = await provisionQuizFields(provider, connection, request)
      if (fields.kind !== 'provisioned') return fields
      // Values sent before the field was created are scheduled too.
      for (const name of fields.new_fields) await resend(name)
      await writeFields(db, key, { ...fields, provisioned_at }, connection)
      return fields
    })
  }
