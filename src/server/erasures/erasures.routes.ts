import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { erasureMessage } from '#domain/deliveries/erasures.ts'
import type { Db } from '#server/db/database.ts'
import { maskWebhookUrl } from '#server/http/edge/caller.ts'
import { conflict, notFound } from '#server/http/edge/errors.ts'
import { type Handlers, mount } from '#server/http/edge/mount.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { hasErasure, listErasures, listPageActions, retryErasure } from './erasures.store.ts'

type Dependencies = { db: Db; wake: () => void }
const MAX_LISTED = 100

/** Handlers of contract/erasures.ts. */
const erasuresHandlers = ({ db, wake }: Dependencies): Handlers<typeof api.erasures> => ({
  list: async ({ id: quiz_id }, creator) => {
    const owned = { quiz_id, creator_id: creator.id }
    await loadQuiz(db, owned)
    const rows = await listErasures(db, owned, MAX_LISTED)
    return {
      erasures: rows.map(({ last_code, ...row }) => ({
        ...row,
        url: maskWebhookUrl(creator, row.url),
        message: erasureMessage(row, last_code),
      })),
      page_actions: await listPageActions(db, owned, MAX_LISTED),
    }
  },

  retry: async ({ id: quiz_id, erasureId: erasure_id }, { id: creator_id }) => {
    const owned = { quiz_id, creator_id, erasure_id }
    await loadQuiz(db, owned)
    if (!(await hasErasure(db, owned))) throw notFound('Effacement introuvable')
    if (!(await retryErasure(db, owned)))
      throw conflict('not_retried', 'Cet effacement ne peut pas être réessayé maintenant.')
    wake()
    return undefined
  },
})

/** Mounts the list of a quiz's erasures; `wake` is called when one is tried again. */
export const registerErasures = (app: FastifyInstance, deps: Dependencies): void =>
  mount(app, api.erasures, erasuresHandlers(deps))
