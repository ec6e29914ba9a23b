import { type Client, createClient } from '#contract/client.ts'

/** The contract's typed client over HTTP, with a creator's token or none. */
export const clientOf = (origin: string, access_token?: string): Client =>
  createClient(async ({ method, path, body }) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(access_token && { authorization: `Bearer ${access_token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  })
