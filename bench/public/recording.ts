import { request } from 'node:http'

/** An answer as it came over the wire. */
export type Recorded = {
  path: string
  headers: Record<string, string>
  /** Base64. */
  body: string
  bytes: number
}

/** Set anew by every server. */
const PER_ANSWER = new Set(['date', 'connection', 'keep-alive'])

/** Asks once and keeps the answer, undecoded; `bytes` is its body and its headers. */
export const record = (origin: string, path: string): Promise<Recorded> =>
  new Promise((resolve, reject) => {
    request(origin + path, { headers: { 'accept-encoding': 'br' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const body = Buffer.concat(chunks)
        const head = response.rawHeaders.reduce((sum, part) => sum + part.length + 2, 0)
        const headers = Object.fromEntries(
          Object.entries(response.headers)
            .filter(([name]) => !PER_ANSWER.has(name))
            .map(([name, value]) => [name, String(value)]),
        )
        resolve({ path, headers, body: body.toString('base64'), bytes: body.length + head })
      })
    })
      .on('error', reject)
      .end()
  })
