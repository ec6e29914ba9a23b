import type { Folder, Quiz } from '#domain/questionnaire/quiz.ts'

/** Parameter of the dashboard's address with the shown folder. */
export const FOLDER_PARAMETER = 'dossier'
/** Value of the parameter for quizzes without a folder. */
export const WITHOUT_FOLDER = 'aucun'

/** Shown folder: one of the folders, the quizzes without a folder, or all quizzes (null). */
export type ShownFolder = Folder | typeof WITHOUT_FOLDER | null

/** Returns the folder that the address names; null for an unknown folder. */
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

const names = new Intl.Collator('fr', { numeric: true })

/** Returns the folders by name. */
export const sortFolders = (folders: readonly Folder[]): Folder[] =>
  folders.toSorted((a, b) => names.compare(a.name, b.name))
