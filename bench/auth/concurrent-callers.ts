import { openConnection } from '../submit/connection.ts'

/** Rate and latencies of the calls of several concurrent callers. Each caller makes one call at a time. */
export type Calls = { per_second: number; latencies: number[] }

const requestOf = (path: string, body: object): Buffer => {
  const text = JSON.stringify(body)
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    '',
    '',
  ]
  return Buffer.from(head.join('\r\n') + text)
}

/** Starts `concurrency` concurrent callers that sign in repeatedly until `stop` is called. */
export const startSignIns = async (
  origin: string,
  { concurrency, body }: { concurrency: number; body: object },
): Promise<{ stop: () => Promise<Calls> }> => {
  const request = requestOf('/auth/v1/token?grant_type=password', body)
  const connections = await Promise.all(
    Array.from({ length: concurrency }, () => openConnection(origin)),
  )
  const latencies: number[] = []
  const started = performance.now()
  let isOver = false
  const running = connections.map(async ({ send }) => {
    while (!isOver) {
      const began = performance.now()
      const status = await send(request)
      if (status !== 200) throw new Error(`A sign-in was answered ${status}`)
      latencies.push(performance.now() - began)
    }
  })
  return {
    stop: async () => {
      isOver = true
      await Promise.all(running)
      const seconds = (performance.now() - started) / 1000
      for (const { close } of connections) close()
      return { per_second: latencies.length / seconds, latencies }
    },
  }
}

/** Measures session renewals. Each caller has one session and uses the refresh token of its last renewal. */
export const measureRefreshes = async (
  origin: string,
  { tokens, seconds }: { tokens: string[]; seconds: number },
): Promise<Calls> => {
  const latencies: number[] = []
  const started = performance.now()
  const end = started + seconds * 1000
  await Promise.all(
    tokens.map(async (_token, index) => {
      while (performance.now() < end) {
        const began = performance.now()
        tokens[index] = await refresh(origin, tokens[index] ?? '')
        latencies.push(performance.now() - began)
      }
    }),
  )
  return { per_second: latencies.length / ((performance.now() - started) / 1000), latencies }
}

const refresh = async (origin: string, refresh_token: string): Promise<string> => {
  const reply = await fetch(`${origin}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token }),
  })
  if (!reply.ok) throw new Error(`A renewal was answered ${reply.status}`)
  return ((await reply.json()) as { refresh_token: string }).refresh_token
}
