import { RefusedCall } from '#contract/client/client.ts'
import type { Image } from '#contract/images.ts'
import { calls } from '#contract/kit/calls.ts'
import { BASE_PATH, type Call } from '#contract/kit/initial-endpoints.ts'
import { IMAGE_TOO_LARGE, MAX_IMAGE_FILE_BYTES } from '#domain/questionnaire/images.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { MAX_QUIZ_FILE_BYTES } from '#domain/quiz-files/quiz-file.ts'
import { sendInSession } from './client.ts'

/** Progress and cancellation of a file that is being sent. */
export type UploadOptions = {
  /** Called with the sent share of the file, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}
type Reply = { status: number; text: string }
type UploadRequest = UploadOptions & {
  call: Call
  /** Error in French when no answer comes. */
  unsent: string
}

/**
 * Sends a file without changing it, to a call without ids; returns the body of the answer. Throws a RefusedCall with
 * the server's reason, and an Error in French when the file cannot be sent.
 */
const sendFile = async (file: Blob, sent: UploadRequest): Promise<unknown> => {
  const { status, text } = await sendInSession((access_token) => send(file, access_token, sent))
  const body = readJson(text)
  if (status !== 201) throw new RefusedCall(status, body)
  return body
}

/** Sends a body with XMLHttpRequest, because `fetch` does not report the progress. */
const send = (
  file: Blob,
  access_token: string | undefined,
  { call: { method, path }, unsent, onProgress, signal }: UploadRequest,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, `${BASE_PATH}${path}`)
    if (access_token) request.setRequestHeader('authorization', `Bearer ${access_token}`)
    // The server detects the type from the bytes, so a file of unknown type is sent too.
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new Error(unsent))
    request.onabort = () => reject(new DOMException('', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })

/** Returns the parsed JSON; null for any other content, such as a proxy's own page. */
const readJson = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Uploads a picture without changing it; the server makes its sizes. Throws a RefusedCall with the server's reason,
 * and an Error in French when the file cannot be sent.
 */
export const uploadImage = async (file: Blob, sending: UploadOptions): Promise<Image> => {
  if (file.size > MAX_IMAGE_FILE_BYTES) throw new Error(IMAGE_TOO_LARGE)
  const answer = await sendFile(file, { call: calls.images.add, unsent: UNSENT_IMAGE, ...sending })
  return (answer as { image: Image }).image
}

const UNSENT_IMAGE = 'L’image n’a pas pu être envoyée. Vérifiez votre connexion, puis réessayez.'

/** Returns the draft of a quiz as a file; throws a RefusedCall if the server refuses. */
export const fetchQuizFile = (id: string): Promise<Blob> => fetchFile(calls.quizFiles.write, id)

/** Returns the draft of a quiz as a text (docs/text-format.md); throws a RefusedCall if the server refuses. */
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
 * Creates a new quiz from a quiz file. Throws a RefusedCall with the server's reason, and an Error in French when the
 * file cannot be sent.
 */
export const importQuiz = async (file: Blob, sending: UploadOptions): Promise<Quiz> => {
  if (file.size > MAX_QUIZ_FILE_BYTES) throw new Error(QUIZ_FILE_TOO_HEAVY)
  const { read: call } = calls.quizFiles
  const answer = await sendFile(file, { call, unsent: UNSENT_QUIZ_FILE, ...sending })
  return (answer as { quiz: Quiz }).quiz
}

const QUIZ_FILE_TOO_HEAVY = `Ce fichier est trop lourd : ${MAX_QUIZ_FILE_BYTES / 1_048_576} Mo au plus.`
const UNSENT_QUIZ_FILE =
  'Le fichier n’a pas pu être envoyé. Vérifiez votre connexion, puis réessayez.'
