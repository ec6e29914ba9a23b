import { Resolver } from 'node:dns/promises'

/** The IP addresses of a host; none when it has none, or nobody says so in time. */
export type Resolve = (hostname: string) => Promise<string[]>

const PATIENCE_MS = 2_000
const TRIES = 2

/**
 * Asks name servers over the network, never through the threads that files and passwords wait for: a name whose servers
 * are slow holds up nothing else. Names of this machine's own list are not known to it.
 */
export const resolveHost: Resolve = async (hostname) => {
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries: TRIES })
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}
