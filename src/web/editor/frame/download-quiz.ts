import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { fetchQuizFile, fetchQuizText } from '#web/api/files.ts'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { saveFile } from '#web/ui/save-file.ts'

const KINDS = {
  json: fetchQuizFile,
  txt: fetchQuizText,
}

/**
 * Downloads the draft of a quiz as a JSON or text file. Throws a `RefusedCall` if the server rejects the
 * request.
 */
export const downloadQuiz = async (
  { id, name }: Pick<Quiz, 'id' | 'name'>,
  kind: keyof typeof KINDS,
): Promise<void> => {
  announceToScreenReader(`Préparation du fichier de « ${name} »…`)
  saveFile(`${name}.${kind}`, await KINDS[kind](id))
  announceToScreenReader(`« ${name} » est dans vos téléchargements`)
}
