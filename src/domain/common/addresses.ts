import { normalizeText } from './normalize-text.ts'
import { hasInvisible, isBlankText, isPrintableAscii } from './text.ts'
import { LIMITS, MAX_EMAIL_LENGTH } from './vocabulary.ts'

/** Parsed parts of an address that the domain uses. */
type ParsedUrl = { readonly hostname: string }
/** Declared here because the domain is type-checked without the libraries of browsers and Node, which both have URL. */
declare const URL: new (address: string) => ParsedUrl

/** Parses an absolute address as browsers do; returns undefined if they refuse it. */
const parseUrl = (address: string): ParsedUrl | undefined => {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}

const WEB_ADDRESS = /^https?:\/\/[^\s/?#@\\{}]+(?:[/?#]\S*)?$/i

/**
 * Returns true for a web address that browsers can open: http or https, without credentials and invisible characters.
 * Insertions may follow the host.
 */
export const isWebAddress = (text: string): boolean =>
  WEB_ADDRESS.test(text) && !hasInvisible(text) && parseUrl(text) !== undefined

/** Returns true if a button or a redirection may lead to this address: a web address in https. */
export const isLinkAddress = (text: string): boolean => /^https:/i.test(text) && isWebAddress(text)

/** Reason why a typed link address is refused. */
export type LinkProblem = 'has_space' | 'other_scheme' | 'email' | 'no_dot' | 'too_long' | 'invalid'

/** Scheme of an address. A dot before the colon belongs to a host with a port. */
const SCHEME = /^[a-z][a-z0-9+-]*:/i
/** Host whose name has two parts, or an IP address in brackets. */
const DOTTED_HOST = /^https:\/\/(?:\[|[^/?#]*[^./?#]\.[^./?#])/i

/**
 * Reads a link address as a person types it: `https://` is added if it is missing. Null stands for no address.
 * Stricter than `isLinkAddress`: a host without a dot is a typing error, although a local network may know it.
 */
export const readTypedLink = (
  typed: string,
): { address: string | null; problem?: undefined } | { problem: LinkProblem } => {
  const text = typed.trim()
  if (text === '') return { address: null }
  if (/\s/.test(text)) return { problem: 'has_space' }
  const hasScheme = SCHEME.test(text)
  if (hasScheme && !/^https:\/\//i.test(text)) return { problem: 'other_scheme' }
  if (!hasScheme && /^[^/?#]*@/.test(text)) return { problem: 'email' }
  const address = hasScheme ? text : `https://${text.replace(/^\/\//, '')}`
  if (!DOTTED_HOST.test(address)) return { problem: 'no_dot' }
  if (address.length > LIMITS.address) return { problem: 'too_long' }
  return isLinkAddress(address) ? { address } : { problem: 'invalid' }
}

/** Providers that ignore dots before the @. */
const DOTLESS = new Set(['gmail.com', 'googlemail.com'])

/**
 * Returns a typed address in compatible composed letters (NFKC), without invisible characters and outer white space.
 * White space between words stays, because a text of several words is not an address.
 */
export const cleanEmail = (typed: string): string =>
  isPrintableAscii(typed)
    ? typed
    : [...normalizeText(typed, 'NFKC')]
        .filter((letter) => ' \t\r\n'.includes(letter) || !isBlankText(letter))
        .join('')
        .trim()

/** Name before the @, with the characters that email fields of browsers accept. */
const NAME = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/
/** Host with a dot. The last label begins with a letter, so that IP addresses do not match. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/
/** Characters at which a URL parser would end a host, or which it would decode. */
const NOT_IN_HOST = /[/\\?#%:[\]\s]/

/** Returns the ASCII form of a domain as a URL parser writes it; undefined if it is no host. */
const hostOf = (domain: string): string | undefined => {
  // A parser leaves such a host as it is, unless a label is encoded (xn--).
  if (HOST.test(domain) && !domain.includes('xn--')) return domain
  return NOT_IN_HOST.test(domain) ? undefined : parseUrl(`http://${domain}`)?.hostname
}

/**
 * Returns the canonical form of an address for storing, comparing and sending: NFKC, lower case, domain in ASCII.
 * Returns null if no mail can be sent there: accents before the @, an IP address, a domain without a dot.
 */
export const canonicalEmail = (typed: string): string | null => {
  const [name = '', domain = '', ...others] = cleanEmail(typed).toLowerCase().split('@')
  const host = hostOf(domain)
  const email = `${name}@${host}`
  if (others.length > 0 || !NAME.test(name) || !host || !HOST.test(host)) return null
  return email.length <= MAX_EMAIL_LENGTH ? email : null
}

/** Returns the form of an address, or of its beginning, for a search among stored addresses. */
export const emailSearchTerm = (typed: string): string => {
  const clean = cleanEmail(typed)
  if (clean.startsWith('@')) return canonicalEmail(`a${clean}`)?.slice(1) ?? clean
  return canonicalEmail(clean) ?? clean
}

/** Returns true if two addresses have equal canonical forms. */
export const isSameEmail = (first: string, second: string): boolean =>
  emailSearchTerm(first).toLowerCase() === emailSearchTerm(second).toLowerCase()

/** Returns true if mail can be sent to an address. */
export const isMailable = (email: string): boolean => canonicalEmail(email) !== null

/**
 * Returns the key of a mailbox in limits and refusals, to which mail is never sent. The key is the canonical address
 * without a tag after a plus. Dots are removed if the provider ignores them.
 */
export const mailboxKeyOf = (email: string): string => {
  const address = canonicalEmail(email) ?? cleanEmail(email).toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const [name = ''] = address.slice(0, Math.max(0, at)).split('+')
  if (!DOTLESS.has(domain)) return `${name}@${domain}`
  return `${name.replaceAll('.', '')}@gmail.com`
}
