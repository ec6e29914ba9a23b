import { BASE_PATH, type Call } from '#contract/call.ts'
import { RefusedCall } from '#contract/client.ts'
import { sendInSession } from './client.ts'

export type Sending = {
  /** Called with the share that has left, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}
type Reply = { status: number; text: string }
type Sent = Sending & {
  call: Call
  /** What is said when no answer comes. */
  unsent: string
}

/**
 * Sends a file as it is to a call without ids; gives the body of its answer. Throws a RefusedCall with the server's
 * reason, and an Error in French when the file cannot be sent.
 */
export const sendFile = async (file: Blob, sent: Sent): Promise<unknown> => {
  const { status, text } = await sendInSession((access_token) => send(file, access_token, sent))
  const body = readJson(text)
  if (status !== 201) throw new RefusedCall(status, body)
  return body
}

/** By XMLHttpRequest, which tells how much of a body has left; `fetch` does not. */
const send = (
  file: Blob,
  access_token: string | undefined,
  { call: { method, path }, unsent, onProgress, signal }: Sent,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, `${BASE_PATH}${path}`)
    if (access_token) request.setRequestHeader('authorization', `Bearer ${access_token}`)
    // The server reads the kind from the bytes; a file whose kind the browser does not know is sent all the same.
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new Error(unsent))
    request.onabort = () => reject(new DOMException('', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })

/** A proxy may answer with a page of its own. */
const readJson = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
