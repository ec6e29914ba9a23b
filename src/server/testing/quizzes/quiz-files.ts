import type { LightMyRequestResponse } from 'fastify'
import type { SignedUp, TestApp } from '#server/testing/app/test-app.ts'

/** Downloads a quiz of this creator as a file. */
export const downloadQuizFile = (
  app: TestApp,
  { access_token }: Pick<SignedUp, 'access_token'>,
  id: string,
): Promise<LightMyRequestResponse> =>
  app.raw({
    url: `/api/v1/quizzes/${id}/export`,
    headers: { authorization: `Bearer ${access_token}` },
  })

/** Sends bytes as a quiz file to import. */
export const importQuizFile = (
  app: TestApp,
  { access_token }: Pick<SignedUp, 'access_token'>,
  payload: Buffer | string,
): Promise<LightMyRequestResponse> =>
  app.raw({
    method: 'POST',
    url: '/api/v1/quizzes/import-file',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    payload,
  })
