import { Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { hasInvisible } from '#domain/common/text.ts'

/** What of IPv4 is no address of the internet (the registry of special-purpose addresses). */
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
/** The one network of IPv6 that has addresses of the internet; forms that hold an IPv4 address are outside it… */
const UNICAST_6 = '2000::/3'
/** …but for Teredo and other protocols (2001::/23), 6to4, and what is for documentation. */
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
const notPublic4 = listOf(NOT_PUBLIC_4, 'ipv4')
const unicast6 = listOf([UNICAST_6], 'ipv6')
const notPublic6 = listOf(NOT_PUBLIC_6, 'ipv6')

/** Whether an IP address, as a resolver writes it, is one of the internet; anything else is not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !notPublic4.check(address, 'ipv4')
  // The zone of an address is of this machine alone.
  if (isIP(address) !== 6 || address.includes('%')) return false
  return unicast6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}

/** Whether it is this machine by the two addresses that everyone writes. */
const isLoopbackAddress = (address: string): boolean => address === '127.0.0.1' || address === '::1'

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

/** Why nothing is sent to an address: a word for machines. */
export type AddressRefusal =
  | 'malformed'
  | 'not_https'
  | 'has_credentials'
  | 'port_refused'
  | 'private_address'
  | 'unknown_host'

export type AddressRules = {
  /** Whether this machine may be called, over plain http too: for tests alone. */
  allows_loopback: boolean
}

const HTTPS_PORT = 443
/** Below it are services that are no web server's; above it, whatever their owner runs. */
const FIRST_FREE_PORT = 1_024

/** The host of an address as it is resolved: an IPv6 address has no brackets there, and a name no last dot. */
const hostOf = ({ hostname }: URL): string =>
  hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Names that lead to this machine or network wherever they are asked for. */
const isLocalName = (host: string): boolean =>
  !host.includes('.') || /\.(?:localhost|local|internal|home\.arpa|onion)$/.test(host)

/**
 * Reads an address that a person wrote, without asking for its name: the address, or why nothing is sent there.
 * Numbers in any writing (decimal, octal, hexadecimal, short) are IPv4 addresses here, as they are to whoever connects.
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
 * The IP addresses that may be connected to for an address: all that its name has now, or why none. One that is
 * not of the internet is enough to refuse the name.
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
