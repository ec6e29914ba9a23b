import { setTimeout as pause } from 'node:timers/promises'

const CONNECT_WITHIN_MS = 10_000

/** A connection to the inspector of another Node process. */
export type Inspector = {
  /** Calls a method of the Chrome DevTools protocol and returns its result. */
  send: <Result>(method: string, params?: object) => Promise<Result>
  /** Calls `handle` with the parameters of each event of this name. */
  on: <Params>(event: string, handle: (params: Params) => void) => void
  close: () => void
}

/**
 * Starts the inspector of a running process by SIGUSR1 and connects to it.
 * The process must have been started with `--inspect-port=127.0.0.1:<port>`.
 */
export const connectInspector = async (pid: number, port: number): Promise<Inspector> => {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await waitForAddress(port))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, (message: Message) => void>()
  const handlers = new Map<string, (params: never) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.method !== undefined) handlers.get(message.method)?.(message.params as never)
    else waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  let lastId = 0
  return {
    send: async <Result>(method: string, params: object = {}) => {
      lastId += 1
      const id = lastId
      const answered = new Promise<Message>((resolve) => waiting.set(id, resolve))
      socket.send(JSON.stringify({ id, method, params }))
      const { result, error } = await answered
      if (error) throw new Error(`${method}: ${error.message}`)
      return result as Result
    },
    on: (event, handle) => handlers.set(event, handle),
    close: () => socket.close(),
  }
}

type Message = {
  id: number
  result?: unknown
  error?: { message: string }
  method?: string
  params?: unknown
}

const waitForAddress = async (port: number): Promise<string> => {
  const deadline = performance.now() + CONNECT_WITHIN_MS
  for (;;) {
    const targets = await fetch(`http://127.0.0.1:${port}/json/list`).then(
      (response) => response.json() as Promise<{ webSocketDebuggerUrl: string }[]>,
      () => [],
    )
    if (targets[0]) return targets[0].webSocketDebuggerUrl
    if (performance.now() > deadline) throw new Error('The inspector of the server did not start')
    await pause(50)
  }
}
