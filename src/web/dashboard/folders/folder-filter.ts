import type { Folder, Quiz } from '#domain/questionnaire/quiz.ts'

/** Name of the parameter that holds the shown folder in the address of the dashboard. */
export const FOLDER_PARAMETER = 'dossier'
/** Value of the parameter for quizzes without a folder. */
export const WITHOUT_FOLDER = 'aucun'

/** Shown folder: one of the folders, the quizzes without a folder, or all quizzes (null). */
export type ShownFolder = Folder | typeof WITHOUT_FOLDER | null

/** Returns the folder that the address names; null (all quizzes) if the folder is unknown. */
export const readShownFolder = (
  address: URLSearchParams,
  folders: readonly Folder[],
): ShownFolder => {
  const named = address.get(FOLDER_PARAMETER)
  if (named === WITHOUT_FOLDER && folders.length > 0) return WITHOUT_FOLDER
  return folders.find(({ id }) => id === named) ?? null
}

/** Returns the quizzes of the shown folder, in their order. */
export const quizzesInFolder = <Q extends Pick<Quiz, 'folder_id'>>(
  quizzes: readonly Q[],
  shown: ShownFolder,
): readonly Q[] => {
  if (shown === null) return quizzes
  const folder_id = shown === WITHOUT_FOLDER ? null : shown.id
  return quizzes.filter((quiz) => quiz.folder_id === folder_id)
}

const frenchOrder = new Intl.Collator('fr', { numeric: true })

/** Returns the folders sorted by name in French order. */
export const sortFolders = (folders: readonly Folder[]): Folder[] =>
  folders.toSorted((a, b) => frenchOrder.compare(a.name, b.name))
