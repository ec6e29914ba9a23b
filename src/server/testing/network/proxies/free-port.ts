import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Range below the ephemeral ports, because outgoing connections could take an ephemeral port. */
const LOWEST = 15_000
const HIGHEST = 32_000

/** Returns a free random port. Concurrent calls rarely get the same port. */
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
