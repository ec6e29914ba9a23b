import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { hasInvisible } from '#domain/common/text.ts'
import { blockListOf } from '#server/runtime/networks.ts'

/** IPv4 networks that are not public (registry of special-purpose addresses). */
const NOT_PUBLIC_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** The only IPv6 network with public addresses. Forms that embed an IPv4 address are outside it. */
const UNICAST_6 = '2000::/3'
/** Exceptions within it: Teredo and other protocols (2001::/23), 6to4, documentation. */
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const notPublic = blockListOf([...NOT_PUBLIC_4, ...NOT_PUBLIC_6])
const unicast6 = blockListOf([UNICAST_6])

/** Returns true for a public IP address as resolvers write it. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !notPublic.check(address, 'ipv4')
  // An address with a zone belongs to this machine.
  if (isIP(address) !== 6 || address.includes('%')) return false
  return unicast6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

/** Returns true for the usual two addresses of this machine. */
const isLoopbackAddress = (address: string): boolean => address === '127.0.0.1' || address === '::1'

/** Returns the IP addresses of a host; none if it has none or its name servers do not answer in time. */
export type Resolve = (hostname: string) => Promise<string[]>

const DNS_TIMEOUT_MS = 2_000
const TRIES = 2

/**
 * Resolves a host with its name servers, without the hosts file. The thread pool, which files and passwords share, is
 * not used, so that slow name servers delay nothing else.
 */
export const resolveHost: Resolve = async (hostname) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: TRIES })
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** Reason why nothing is sent to an address. */
export type AddressRefusal =
  | 'malformed'
  | 'not_https'
  | 'has_credentials'
  | 'port_refused'
  | 'private_address'
  | 'unknown_host'

/** Rules for addresses that people type. */
export type AddressRules = {
  /** True if this machine may be called, over plain http too; for tests only. */
  allows_loopback: boolean
}

const HTTPS_PORT = 443
/** First port that is allowed besides 443; well-known ports below belong to other services. */
const FIRST_FREE_PORT = 1_024

/** Returns the host of an address as resolvers expect it: without brackets and without a trailing dot. */
const hostOf = ({ hostname }: URL): string =>
  hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Returns true for names that lead to this machine or its network. */
const isLocalName = (host: string): boolean =>
  !host.includes('.') || /\.(?:localhost|local|internal|home\.arpa|onion)$/.test(host)

/**
 * Parses an address that a person typed, without resolving its name. Returns the reason if nothing may be sent there.
 * IPv4 addresses are recognised in every notation (decimal, octal, hexadecimal, short).
 */
export const readAddress = (
  typed: string,
  { allows_loopback }: AddressRules,
): URL | AddressRefusal => {
  if (!URL.canParse(typed) || hasInvisible(typed)) return 'malformed'
  const url = new URL(typed)
  const host = hostOf(url)
  const isHere = allows_loopback && (isLoopbackAddress(host) || host.endsWith('.test'))
  if (url.protocol !== 'https:' && !(isHere && url.protocol === 'http:')) return 'not_https'
  if (url.username !== '' || url.password !== '') return 'has_credentials'
  const port = url.port === '' ? HTTPS_PORT : Number(url.port)
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT) return 'port_refused'
  if (isHere) return url
  if (isIP(host) !== 0) return isPublicAddress(host) ? url : 'private_address'
  return isLocalName(host) ? 'private_address' : url
}

/**
 * Resolves the host of an address and returns its IP addresses, or the reason if nothing may be sent there. A single
 * address that is not public refuses the host.
 */
export const checkHost = async (
  url: URL,
  { allows_loopback, resolve }: AddressRules & { resolve: (host: string) => Promise<string[]> },
): Promise<string[] | AddressRefusal> => {
  const host = hostOf(url)
  const found = isIP(host) === 0 ? await resolve(host) : [host]
  if (found.length === 0) return 'unknown_host'
  const isAllowed = (address: string): boolean =>
    isPublicAddress(address) || (allows_loopback && isLoopbackAddress(address))
  return found.every(isAllowed) ? found : 'private_address'
}
