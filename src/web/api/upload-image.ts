import { BASE_PATH, calls } from '#contract/calls.ts'
import { RefusedCall } from '#contract/client.ts'
import type { Image } from '#contract/images.ts'
import { LARGEST_FILE, TOO_HEAVY } from '#domain/images.ts'
import { sendInSession } from './client.ts'

type Sending = {
  /** Called with the share that has left, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}
type Reply = { status: number; text: string }

/**
 * Sends a picture as it is; the server makes the sizes of it. Throws a RefusedCall with the server's reason, and
 * an Error in French when the file cannot be sent.
 */
export const uploadImage = async (file: Blob, sending: Sending): Promise<Image> => {
  if (file.size > LARGEST_FILE) throw new Error(TOO_HEAVY)
  const { status, text } = await sendInSession((access_token) => send(file, access_token, sending))
  const body = readJson(text)
  if (status !== 201) throw new RefusedCall(status, body)
  return body.image
}

/** By XMLHttpRequest, which tells how much of a body has left; `fetch` does not. */
const send = (
  file: Blob,
  access_token: string | undefined,
  { onProgress, signal }: Sending,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { method, path } = calls.images.add
    const request = new XMLHttpRequest()
    request.open(method, `${BASE_PATH}${path}`)
    if (access_token) request.setRequestHeader('authorization', `Bearer ${access_token}`)
    // The server reads the kind from the bytes; a file whose kind the browser does not know is sent all the same.
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new Error(UNSENT))
    request.onabort = () => reject(new DOMException('', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })

const UNSENT = 'L’image n’a pas pu être envoyée. Vérifiez votre connexion, puis réessayez.'

/** A proxy may answer with a page of its own. */
const readJson = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
