import { isIPv4, isIPv6, SocketAddress } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { blockListOf, unwrapMapped } from '#server/runtime/networks.ts'
import { unauthorized } from './errors.ts'
import type { KeyOf, SessionOf } from './rate-limits.ts'

/** A signed-in creator. `session_id` is undefined if an API key calls. */
export type Creator = {
  id: string
  session_id: string | undefined
  is_api_key?: true
  /** True for an administrator of the installation; never set for an API key. */
  is_administrator?: true
}

/** Identifies the caller of a request. Returns null without a token; throws `unauthorized()` for an invalid token. */
export type IdentifyCreator = (request: FastifyRequest) => Promise<Creator | null>

/** Functions that tell who calls: for the handlers, and for the limits. */
export type CallerIdentification = {
  identify: IdentifyCreator
  sessionOf: SessionOf
  keyOf: KeyOf
}

/**
 * Returns the address of a webhook as its caller may read it. An API key gets the origin alone, because paths and
 * queries of such addresses are often secrets.
 */
export const maskWebhookUrl = <T extends string | null>({ is_api_key }: Creator, address: T): T =>
  address && is_api_key ? (`${new URL(address).origin}/…` as T) : address

/** Returns the creator of a call whose route requires one. Throws `unauthorized()` (401) if none was identified. */
export const creatorOf = ({ creator }: FastifyRequest): Creator => {
  if (!creator) throw unauthorized()
  return creator
}

/** Proxies whose X-Forwarded-For header is trusted. */
export type TrustedProxies = {
  /** Number of proxies in front of this server, used if `trusted_proxies` is empty. */
  trust_proxy: number
  /** Addresses and networks of trusted proxies. If the list is not empty, only these are trusted. */
  trusted_proxies: readonly string[]
}

/** An address in brackets or an IPv4 address, with the port that some proxies append. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/

/** Returns an address without port and brackets, with IPv6 compressed and mapped IPv4 unwrapped. */
const normalizeAddress = (entry: string): string => {
  const trimmed = entry.trim()
  const [, bracketed, ipv4] = WITH_PORT.exec(trimmed) ?? []
  const address = bracketed ?? ipv4 ?? trimmed
  if (!isIPv6(address)) return address
  return unwrapMapped(new SocketAddress({ address, family: 'ipv6' }).address)
}

/** Returns the addresses of an X-Forwarded-For header, in their order. */
const addressesOf = (forwarded: string): string[] =>
  forwarded.split(',').map(normalizeAddress).filter(Boolean)

/**
 * Normalises X-Forwarded-For, so that `request.ip` has one spelling. Must be registered before every hook that reads
 * it.
 */
export const readForwardedAddresses = (app: FastifyInstance): void => {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const forwarded = headers['x-forwarded-for']?.toString()
    if (forwarded !== undefined) headers['x-forwarded-for'] = addressesOf(forwarded).join(', ')
    done()
  })
}

/**
 * Creates a function that returns true if the address at a hop is a trusted proxy. Hop 0 is the address that
 * connects.
 */
export const createProxyTrust = ({ trust_proxy, trusted_proxies }: TrustedProxies) => {
  if (trusted_proxies.length === 0) return (_address: string, hop: number) => hop < trust_proxy
  const list = blockListOf(trusted_proxies)
  return (address: string): boolean => {
    const known = normalizeAddress(address)
    return isIPv6(known) ? list.check(known, 'ipv6') : isIPv4(known) && list.check(known)
  }
}

/**
 * Returns the address of a caller: the rightmost address of X-Forwarded-For that is no trusted proxy, or the
 * connecting address. Fastify finds `request.ip` by the same rule.
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
