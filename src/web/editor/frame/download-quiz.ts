import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { fetchQuizFile, fetchQuizText } from '#web/api/files.ts'
import { say } from '#web/ui/feedback/announcer.tsx'
import { saveFile } from '#web/ui/save-file.ts'

const KINDS = {
  json: fetchQuizFile,
  txt: fetchQuizText,
}

/** Has the browser keep the draft of a quiz as a file, or as text; throws a RefusedCall when the server refuses it. */
export const downloadQuiz = async (
  { id, name }: Pick<Quiz, 'id' | 'name'>,
  kind: keyof typeof KINDS,
): Promise<void> => {
  say(`Préparation du fichier de « ${name} »…`)
  saveFile(`${name}.${kind}`, await KINDS[kind](id))
  say(`« ${name} » est dans vos téléchargements`)
}
