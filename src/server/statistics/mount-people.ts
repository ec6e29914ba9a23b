import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { Db } from '#server/db/database.ts'
import { erasuresHandlers } from '#server/erasures/erasures.routes.ts'
import { mount } from '#server/http/mount.ts'
import type { Vault } from '#server/integrations/vault.ts'
import { participantsHandlers } from './participants.routes.ts'

type Needs = { db: Db; vault: Vault; wake: () => void }

/** Mounts the calls on single people: what they did, and how they are erased, here and elsewhere. */
export const mountPeople = (app: FastifyInstance, { db, vault, wake }: Needs): void => {
  mount(app, api.participants, participantsHandlers({ db, vault }))
  mount(app, api.erasures, erasuresHandlers({ db, wake }))
}
