import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A Kit that answers every upsert in `delay_ms`, and remembers when each person came. */
export const startSlowKit = async (delay_ms: number) => {
  const arrivals = new Map<string, number>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += String(part)
    const { email_address, fields } = JSON.parse(text) as {
      email_address: string
      fields: object
    }
    setTimeout(() => {
      arrivals.set(email_address, performance.now())
      response.writeHead(200, { 'content-type': 'application/json' })
      const subscriber = { id: arrivals.size, state: 'active', email_address, fields }
      response.end(JSON.stringify({ subscriber, warnings: [] }))
    }, delay_ms)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    api_url: `http://127.0.0.1:${port}/v4`,
    arrivals,
    close: (): void => {
      server.closeAllConnections()
      server.close()
    },
  }
}
