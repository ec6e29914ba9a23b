import { isIP } from 'node:net'
import { hasInvisible } from '#domain/blank-text.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

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
