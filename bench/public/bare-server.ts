/** Baseline: a bare node:http server that sends recorded responses. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Recorded } from './recorded-response.ts'

const recorded = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Recorded[]
const answers = new Map(
  recorded.map(({ path, headers, body }) => {
    const bytes = Buffer.from(body, 'base64')
    const { 'content-length': _, ...unchanged } = headers
    return [path, { headers, unchanged, bytes, etag: headers.etag }]
  }),
)

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const server = createServer((request, response) => {
  if (request.url === '/metrics')
    return void response.end(`process_cpu_seconds_total ${cpuSeconds()}\n`)
  const answer = answers.get(request.url ?? '')
  if (!answer) return void response.writeHead(404).end()
  if (request.headers['if-none-match'] === answer.etag)
    response.writeHead(304, answer.unchanged).end()
  else response.writeHead(200, answer.headers).end(answer.bytes)
}).listen(0, '127.0.0.1')

await once(server, 'listening')
const address = server.address()
process.send?.(typeof address === 'object' && address ? address.port : 0)
