import type { ProviderName } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import type { Integrations } from '#server/integrations/create-integrations.ts'
import { rulesOfSwitch } from '#server/quizzes/automations.store.ts'
import type { Tools } from './send-delivery.ts'
import { createTakenBy } from './taken.store.ts'

type Key = { quiz_id: string; provider: ProviderName }
/** Brevo never says that an attribute is gone, so it is looked for once a day (integrations §11.6). */
const LOOKED_FOR_EVERY_MS = 24 * 3_600_000

/** What the worker needs of the integrations. */
export const toolsOf = (
  db: Db,
  {
    providers,
    openConnection,
    provisionQuiz,
  }: Pick<Integrations, 'providers' | 'openConnection' | 'provisionQuiz'>,
  now = () => new Date(),
): Tools => {
  const find = ({ quiz_id, provider }: Key) =>
    db
      .selectFrom('quiz_integrations')
      .select([
        'field_key',
        'tag_by_result',
        'provisioned_at',
        'sends_parameters',
        'parameter_fields',
      ])
      .select([rulesOfSwitch.as('rules')])
      .where('quiz_id', '=', quiz_id)
      .where('provider', '=', provider)
      .executeTakeFirst()
  return {
    providers,
    open: openConnection,
    now,
    targetOf: async (quiz_id, provider) => {
      const {
        field_key = null,
        tag_by_result = false,
        provisioned_at = null,
        sends_parameters = false,
        parameter_fields = {},
        rules = [],
      } = (await find({ quiz_id, provider })) ?? {}
      const age_ms = now().getTime() - Date.parse(provisioned_at ?? '')
      const is_stale = provider === 'brevo' && age_ms > LOOKED_FOR_EVERY_MS
      return { field_key, tag_by_result, sends_parameters, parameter_fields, is_stale, rules }
    },
    takenBy: createTakenBy(db),
    provision: async (quiz_id, { provider, isLate }, parameters) => {
      const key = { quiz_id, provider }
      const before = await find(key)
      // What was looked at together is as old as what was looked at last.
      const names = new Set([...Object.keys(before?.parameter_fields ?? {}), ...parameters])
      return provisionQuiz(key, [...names], isLate)
    },
  }
}
