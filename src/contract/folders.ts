import { z } from 'zod'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Folder } from '#domain/questionnaire/quiz.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { filledText, uuid } from './kit/fields.ts'

const { folders: folderCalls } = calls

const folder = z.object({ id: uuid, name: z.string() }) satisfies z.ZodType<Folder>
const body = z.object({ name: filledText(LIMITS.folder_name) })
const answer = z.object({ folder })

/** Calls for the folders of a creator. */
export const folders = group({
  list: {
    ...folderCalls.list,
    access: 'creator',
    answer: z.object({ folders: z.array(folder) }),
    summary: 'Les dossiers du compte, par nom',
  },
  create: {
    ...folderCalls.create,
    creates: true,
    access: 'creator',
    body,
    answer,
    summary: 'Créer un dossier ; deux dossiers d’un compte ne portent pas le même nom',
  },
  rename: {
    ...folderCalls.rename,
    access: 'folder_owner',
    body,
    answer,
    summary: 'Renommer un dossier',
  },
  remove: {
    ...folderCalls.remove,
    access: 'folder_owner',
    summary: 'Supprimer un dossier ; ses questionnaires restent, sans dossier',
  },
  put: {
    ...folderCalls.put,
    access: 'quiz_owner',
    body: z.object({ folder_id: uuid.nullable() }),
    answer: z.object({ folder_id: uuid.nullable() }),
    summary: 'Ranger un questionnaire dans un dossier ; null l’en sort',
  },
})
