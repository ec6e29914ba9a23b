import { BASE_PATH, type Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { RefusedCall } from '#contract/client.ts'
import type { Quiz } from '#domain/quiz.ts'
import { LARGEST_QUIZ_FILE } from '#domain/quiz-file-format.ts'
import { sendInSession } from './client.ts'
import { type Sending, sendFile } from './send-file.ts'

/** The draft of a quiz as a file; throws a RefusedCall when it is refused. */
export const fetchQuizFile = (id: string): Promise<Blob> => fetchFile(calls.quizFiles.write, id)

/** The same as a text (docs/text-format.md). */
export const fetchQuizText = (id: string): Promise<Blob> => fetchFile(calls.quizzes.text, id)

const fetchFile = async ({ path }: Call, id: string): Promise<Blob> => {
  const response = await sendInSession((access_token) =>
    fetch(`${BASE_PATH}${path.replace('{id}', id)}`, {
      headers: access_token ? { authorization: `Bearer ${access_token}` } : {},
    }),
  )
  if (!response.ok) throw new RefusedCall(response.status, await readReason(response))
  return response.blob()
}

const readReason = async (response: Response) => {
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return isJson ? response.json() : null
}

/**
 * Makes a new quiz of such a file. Throws a RefusedCall with the server's reason, and an Error in French when the file
 * cannot be sent.
 */
export const importQuiz = async (file: Blob, sending: Sending): Promise<Quiz> => {
  if (file.size > LARGEST_QUIZ_FILE) throw new Error(QUIZ_FILE_TOO_HEAVY)
  const { read: call } = calls.quizFiles
  const answer = await sendFile(file, { call, unsent: UNSENT_QUIZ_FILE, ...sending })
  return (answer as { quiz: Quiz }).quiz
}

const QUIZ_FILE_TOO_HEAVY = `Ce fichier est trop lourd : ${LARGEST_QUIZ_FILE / 1_048_576} Mo au plus.`
const UNSENT_QUIZ_FILE =
  'Le fichier n’a pas pu être envoyé. Vérifiez votre connexion, puis réessayez.'
