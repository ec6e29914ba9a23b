import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * What nginx does by default: the servers in turn, on connections that are kept; a call goes to the next one
 * only where nobody accepted the connection, so nothing is ever sent twice. Others are counted as failed.
 */
export const startProxy = async (upstreams: string[]) => {
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' })
  let turn = 0
  const failures: string[] = []

  const pass = (from: IncomingMessage, to: ServerResponse, body: Buffer, tries: number): void => {
    const origin = upstreams[turn++ % upstreams.length]
    const { method, headers, url = '' } = from
    const sent = request(`${origin}${url}`, { agent, method, headers }, (reply) => {
      to.writeHead(reply.statusCode ?? 502, { ...reply.headers, connection: 'keep-alive' })
      reply.pipe(to)
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries > 1) return pass(from, to, body, tries - 1)
      failures.push(`${method} ${url}: ${error.code}`)
      to.writeHead(502).end()
    })
    sent.end(body)
  }
  const server = createServer(async (from, to) => pass(from, to, await buffer(from), 3))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    failures,
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}
