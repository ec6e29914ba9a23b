import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The proxies whose X-Forwarded-For is trusted. */
export type Proxies = {
  /** The number of proxies in front; the address that connects is the first. */
  trust_proxy: number
  /** Addresses and networks of proxies; when there are some, only these are trusted. */
  trusted_proxies: readonly string[]
}

/** An address in brackets, or an IPv4 address, and the port that some proxies write behind it. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/

/** The one spelling of an address: without port and brackets, IPv6 compressed, IPv4 as itself. */
const plain = (entry: string): string => {
  const trimmed = entry.trim()
  const [, bracketed, ipv4] = WITH_PORT.exec(trimmed) ?? []
  const address = bracketed ?? ipv4 ?? trimmed
  if (!isIPv6(address)) return address
  const compressed = new SocketAddress({ address, family: 'ipv6' }).address
  return compressed.replace(/^::ffff:(?=\d+\.)/, '')
}

/** The addresses that X-Forwarded-For names, in its order. */
const addressesOf = (forwarded: string): string[] => forwarded.split(',').map(plain).filter(Boolean)

/** Normalises X-Forwarded-For, so that Fastify's `request.ip` is spelt one way; registered before every hook that reads it. */
export const readForwardedAddresses = (app: FastifyInstance): void => {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const forwarded = headers['x-forwarded-for']?.toString()
    if (forwarded !== undefined) headers['x-forwarded-for'] = addressesOf(forwarded).join(', ')
    done()
  })
}

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Tells whether the address at a hop is a trusted proxy; hop 0 is the address that connects. */
export const createTrust = ({ trust_proxy, trusted_proxies }: Proxies) => {
  if (trusted_proxies.length === 0) return (_address: string, hop: number) => hop < trust_proxy
  const list = listOf(trusted_proxies)
  return (address: string): boolean => {
    const known = plain(address)
    return isIPv6(known) ? list.check(known, 'ipv6') : isIPv4(known) && list.check(known)
  }
}

/**
 * The address of a caller: that of the connection, or the rightmost one of X-Forwarded-For that is no
 * trusted proxy's, as Fastify finds it by the same `trust`.
 */
export const clientAddress = (
  trust: (address: string, hop: number) => boolean,
  peer: string,
  forwarded: string | undefined,
): string => {
  const hops = [peer, ...addressesOf(forwarded ?? '').reverse()]
  const index = hops.findIndex((address, hop) => !trust(address, hop))
  return hops[index] ?? hops.at(-1) ?? peer
}
