import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below what systems hand out for outgoing connections, which would take the port before its server does. */
const LOWEST = 15_000
const HIGHEST = 32_000

/** A free port, for a process that is about to listen; two concurrent calls hardly get the same. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(LOWEST, HIGHEST)
  const probe = createServer().listen(port)
  const isFree = await once(probe, 'listening').then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
      return false
    },
  )
  if (!isFree) return freePort()
  probe.close()
  await once(probe, 'close')
  return port
}
