import { BASE_PATH } from '#contract/calls.ts'
import { findAccessToken } from './auth-client.ts'

/** The stream of events of a quiz's new participants; null when the server refuses it. */
export const openLive = async (
  quizId: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | null> => {
  const access_token = await findAccessToken()
  const response = await fetch(`${BASE_PATH}/quizzes/${quizId}/responses/live`, {
    credentials: 'same-origin',
    headers: access_token ? { authorization: `Bearer ${access_token}` } : {},
    signal,
  })
  return response.ok ? response.body : null
}
