import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Folder } from '#domain/questionnaire/quiz.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, invalid, notFound } from '#server/http/edge/errors.ts'
import { mount } from '#server/http/edge/mount.ts'
import {
  deleteFolder,
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

/** Throws a 422 if another folder has the same name. Case does not matter. */
const requireFreeName = ({ id, name }: Folder, folders: readonly Folder[]): void => {
  const same = folders.find(
    (folder) => folder.id !== id && folder.name.toLowerCase() === name.toLowerCase(),
  )
  if (same) throw invalid(`Vous avez déjà un dossier « ${same.name} »`, 'name')
}

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
        const folders = await listFolders(change, creator_id)
        if (folders.length >= LIMITS.folders) throw tooMany()
        requireFreeName(folder, folders)
        await insertFolder(change, { ...folder, creator_id })
      })
      return { folder }
    },

    rename: async ({ id, body: { name } }, { id: creator_id }) => {
      const folder = { id, name }
      await db.transaction().execute(async (change) => {
        await lockFolders(change, creator_id)
        const folders = await listFolders(change, creator_id)
        if (!folders.some((candidate) => candidate.id === id)) throw absent()
        requireFreeName(folder, folders)
        await renameFolder(change, { folder_id: id, creator_id, name })
      })
      return { folder }
    },

    remove: async ({ id: folder_id }, { id: creator_id }) => {
      if (!(await deleteFolder(db, { folder_id, creator_id }))) throw absent()
      return undefined
    },

    put: async ({ id: quiz_id, body: { folder_id } }, { id: creator_id }) => {
      if (!(await putInFolder(db, { quiz_id, creator_id, folder_id })))
        throw notFound('Questionnaire ou dossier introuvable')
      return { folder_id }
    },
  })
