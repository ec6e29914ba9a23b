import type { Db } from '#server/db/database.ts'
import type { Integrations } from '#server/integrations/create-integrations.ts'
import type { Tools } from './send-delivery.ts'

/** What the worker needs of the integrations. */
export const toolsOf = (db: Db, integrations: Integrations): Tools => ({
  providers: integrations.providers,
  open: integrations.openConnection,
  targetOf: async (quiz_id, provider) =>
    (await db
      .selectFrom('quiz_integrations')
      .select(['field_key', 'tag_by_result'])
      .where('quiz_id', '=', quiz_id)
      .where('provider', '=', provider)
      .executeTakeFirst()) ?? { field_key: null, tag_by_result: false },
  provision: (quiz_id, { provider }) => integrations.provisionQuiz({ quiz_id, provider }),
})
