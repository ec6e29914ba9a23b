import { request } from 'node:http'

/** Recorded HTTP response. */
export type Recorded = {
  path: string
  headers: Record<string, string>
  /** Body in Base64. */
  body: string
  bytes: number
}

/** Headers that every server sets itself. */
const PER_ANSWER = new Set(['date', 'connection', 'keep-alive'])

/** Makes one request and returns the encoded response; `bytes` counts body and headers. */
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
