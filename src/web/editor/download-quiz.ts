import type { Quiz } from '#domain/quiz.ts'
import { fetchQuizFile } from '#web/api/quiz-files.ts'
import { say } from '#web/ui/announcer.tsx'
import { saveFile } from '#web/ui/save-file.ts'

/** Has the browser keep the draft of a quiz as a file; throws a RefusedCall when the server refuses it. */
export const downloadQuiz = async ({ id, name }: Pick<Quiz, 'id' | 'name'>): Promise<void> => {
  say(`Préparation du fichier de « ${name} »…`)
  saveFile(`${name}.json`, await fetchQuizFile(id))
  say(`« ${name} » est dans vos téléchargements`)
}
