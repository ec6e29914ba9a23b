import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

const READINESS_INTERVAL_MS = 100

/**
 * Starts a proxy that works like Caddy or nginx: round robin over ready servers, with kept connections. A refused
 * connection is retried on the next server. Any other failure is recorded and answered with 502.
 */
export const startReverseProxy = async (upstreams: string[]) => {
  const agent = new Agent({ keepAlive: true })
  const unready = new Set<string>()
  const failures: string[] = []
  let turn = 0

  const checkReadiness = async (origin: string): Promise<void> => {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) unready.delete(origin)
    else unready.add(origin)
  }
  const readiness_timer = setInterval(
    () => upstreams.forEach(checkReadiness),
    READINESS_INTERVAL_MS,
  )
  const choose = (tried: readonly string[]): string | undefined => {
    turn++
    const left = upstreams.filter((origin) => !tried.includes(origin))
    const ready = left.filter((origin) => !unready.has(origin))
    const among = ready.length > 0 ? ready : left
    return among[turn % among.length]
  }
  const forward = (
    from: IncomingMessage,
    to: ServerResponse,
    { body, tried = [] }: { body: Buffer; tried?: string[] },
  ): void => {
    const { method, headers, url } = from
    const origin = choose(tried)
    const sent = request(`${origin}${url}`, { agent, method, headers }, (reply) => {
      to.writeHead(reply.statusCode ?? 502, { ...reply.headers, connection: 'keep-alive' })
      reply.pipe(to)
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const next = [...tried, origin ?? '']
      if (error.code === 'ECONNREFUSED' && next.length < upstreams.length)
        return forward(from, to, { body, tried: next })
      failures.push(`${method} ${url}: ${error.code}`)
      to.writeHead(502).end()
    })
    sent.end(body)
  }
  const server = createServer(async (from, to) => forward(from, to, { body: await buffer(from) }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    failures,
    close: (): void => {
      clearInterval(readiness_timer)
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}
