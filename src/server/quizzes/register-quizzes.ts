import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { Db } from '#server/db/database.ts'
import { mount } from '#server/http/edge/mount.ts'
import { draftsHandlers, questionsHandlers, resultsHandlers } from './draft.routes.ts'
import { quizzesHandlers } from './quizzes.routes.ts'
import { trashHandlers } from './trash.routes.ts'
import { createTrash, type Trash, type TrashDependencies } from './trash.ts'
import { versionsHandlers } from './versions.routes.ts'

type Dependencies = { db: Db } & TrashDependencies &
  Omit<Parameters<typeof quizzesHandlers>[0], 'trash'>

/** Mounts the calls that list, edit, publish and delete quizzes. Returns the trash, which deletes expired quizzes. */
export const registerQuizzes = (app: FastifyInstance, deps: Dependencies): { trash: Trash } => {
  const { db, onChange } = deps
  const trash = createTrash(deps)
  app.addHook('onClose', trash.close)
  mount(app, api.drafts, draftsHandlers(deps))
  mount(app, api.versions, versionsHandlers(deps))
  mount(app, api.quizzes, quizzesHandlers({ ...deps, trash }))
  mount(app, api.trash, trashHandlers({ db, trash, onChange }))
  mount(app, api.results, resultsHandlers({ db }))
  mount(app, api.questions, questionsHandlers({ db }))
  return { trash }
}
