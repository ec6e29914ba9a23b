import type { FastifyInstance } from 'fastify'

export type FormFields = Record<string, string>

/** Sends a form as a browser without JavaScript does. */
export const postForm = (
  server: FastifyInstance,
  { url, fields, headers = {} }: { url: string; fields: FormFields; headers?: FormFields },
) =>
  server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })
