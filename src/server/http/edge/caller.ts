import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unauthorized } from './errors.ts'

/** A signed-in creator; without a session when an API key calls. */
export type Creator = { id: string; session_id: string | undefined; is_api_key?: true }

/** Identifies the caller of a request: null without a token; throws `unauthorized()` for a token that opens nothing. */
export type IdentifyCreator = (request: FastifyRequest) => Promise<Creator | null>

/**
 * Identifies the caller of each route of the product API whose `access` is 'creator' or 'optional', once a request
 * and before its body is read. Handlers find the creator in `request.creator`; a 'creator' route without one is
 * refused (401).
 */
export const identifyCallers = (app: FastifyInstance, identify: IdentifyCreator): void => {
  app.decorateRequest('creator', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { access } = request.routeOptions.config
    if (access !== 'creator' && access !== 'optional') return done()
    identify(request).then((creator) => {
      request.creator = creator
      done(access === 'creator' && !creator ? unauthorized() : undefined)
    }, done)
  })
}

/**
 * Returns the address of a webhook as its caller may read it: whole in a session, the host alone for an API key, because
 * the path and the query of such addresses are often secrets.
 */
export const maskWebhookUrl = <T extends string | null>({ is_api_key }: Creator, address: T): T =>
  address && is_api_key ? (`${new URL(address).origin}/…` as T) : address

/** Creator of a call whose route requires one. Throws `unauthorized()` (401) if none was identified. */
export const creatorOf = ({ creator }: FastifyRequest): Creator => {
  if (!creator) throw unauthorized()
  return creator
}

/** The proxies whose X-Forwarded-For is trusted. */
export type TrustedProxies = {
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
export const createProxyTrust = ({ trust_proxy, trusted_proxies }: TrustedProxies) => {
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
export const findClientAddress = (
  trust: (address: string, hop: number) => boolean,
  peer: string,
  forwarded: string | undefined,
): string => {
  const hops = [peer, ...addressesOf(forwarded ?? '').reverse()]
  const index = hops.findIndex((address, hop) => !trust(address, hop))
  return hops[index] ?? hops.at(-1) ?? peer
}
