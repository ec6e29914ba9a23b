import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { Db } from '#server/db/database.ts'
import { mount } from '#server/http/edge/mount.ts'
import { draftsHandlers, questionsHandlers, resultsHandlers } from './draft.routes.ts'
import { quizzesHandlers } from './quizzes.routes.ts'
import { versionsHandlers } from './versions.routes.ts'

type Dependencies = { db: Db } & Parameters<typeof quizzesHandlers>[0]

/** Mounts the calls that list, edit, publish and delete quizzes. */
export const registerQuizzes = (app: FastifyInstance, deps: Dependencies): void => {
  const { db } = deps
  mount(app, api.drafts, draftsHandlers(deps))
  mount(app, api.versions, versionsHandlers(deps))
  mount(app, api.quizzes, quizzesHandlers(deps))
  mount(app, api.results, resultsHandlers({ db }))
  mount(app, api.questions, questionsHandlers({ db }))
}
