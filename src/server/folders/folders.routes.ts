import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, invalid, notFound } from '#server/http/edge/errors.ts'
import { mount } from '#server/http/edge/mount.ts'
import {
  countFolders,
  deleteFolder,
  findFolderByName,
  insertFolder,
  listFolders,
  lockFolders,
  putInFolder,
  renameFolder,
} from './folders.store.ts'

const tooMany = () =>
  conflict(
    'too_many_folders',
    `Un compte a ${LIMITS.folders} dossiers au plus : supprimez ceux qui ne servent plus`,
  )
const isTaken = (name: string) => invalid(`Vous avez déjà un dossier « ${name} »`, 'name')
const absent = () => notFound('Dossier introuvable')

/** Mounts the calls for the folders of a creator. */
export const registerFolders = (app: FastifyInstance, { db }: { db: Db }): void =>
  mount(app, api.folders, {
    list: async (_input, creator) => ({ folders: await listFolders(db, creator.id) }),

    create: async ({ body: { name } }, { id: creator_id }) => {
      const folder = { id: randomUUID(), name }
      await db.transaction().execute(async (change) => {
        // The lock prevents two parallel calls from exceeding the limit.
        await lockFolders(change, creator_id)
        if ((await countFolders(change, creator_id)) >= LIMITS.folders) throw tooMany()
        if (!(await insertFolder(change, { ...folder, creator_id }))) throw isTaken(name)
      })
      return { folder }
    },

    rename: async ({ folderId, body: { name } }, { id: creator_id }) => {
      await db.transaction().execute(async (change) => {
        await lockFolders(change, creator_id)
        const named = await findFolderByName(change, { creator_id, name })
        if (named && named.id !== folderId) throw isTaken(named.name)
        if (!(await renameFolder(change, { folder_id: folderId, creator_id, name }))) throw absent()
      })
      return { folder: { id: folderId, name } }
    },

    remove: async ({ folderId }, { id: creator_id }) => {
      if (!(await deleteFolder(db, { folder_id: folderId, creator_id }))) throw absent()
      return undefined
    },

    put: async ({ id: quiz_id, body: { folder_id } }, { id: creator_id }) => {
      if (!(await putInFolder(db, { quiz_id, creator_id, folder_id })))
        throw notFound('Questionnaire ou dossier introuvable')
      return { folder_id }
    },
  })
