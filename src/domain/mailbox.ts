import { isBlankText } from './blank-text.ts'
import { LONGEST_EMAIL } from './vocabulary.ts'
import { parseUrl } from './web-address.ts'

/** Providers that ignore dots before the @. */
const DOTLESS = new Set(['gmail.com', 'googlemail.com'])

/**
 * Returns an address as it is stored after typing: without invisible characters, and with one form of each letter
 * (NFKC). Spaces and line ends between words stay, because such a text is no address.
 */
export const cleanEmail = (typed: string): string =>
  [...typed.normalize('NFKC')]
    .filter((letter) => ' \t\r\n'.includes(letter) || !isBlankText(letter))
    .join('')
    .trim()

/** The letters that a name before the @ may have, as in browsers' email fields. */
const NAME = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/
/** A host with a dot whose last label begins with a letter, so that it is no IP address. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/
/** Characters that a URL parser would read as the end of a host or decode. */
const NOT_IN_HOST = /[/\\?#%:[\]\s]/

/**
 * Returns the one form by which an address is stored, compared and written to: NFKC, lower case, with its domain in the
 * ASCII form that mail servers and the mail library use. Null if no mail can be sent there: accents before the @, an IP
 * address, a domain without a dot.
 */
export const canonicalEmail = (typed: string): string | null => {
  const [name = '', domain = '', ...others] = cleanEmail(typed).toLowerCase().split('@')
  const host = NOT_IN_HOST.test(domain) ? undefined : parseUrl(`http://${domain}`)?.hostname
  const email = `${name}@${host}`
  if (others.length > 0 || !NAME.test(name) || !host || !HOST.test(host)) return null
  return email.length <= LONGEST_EMAIL ? email : null
}

/** Returns the form in which an address, or the beginning of one, is searched for among stored addresses. */
export const searchedEmail = (typed: string): string => {
  const clean = cleanEmail(typed)
  if (clean.startsWith('@')) return canonicalEmail(`a${clean}`)?.slice(1) ?? clean
  return canonicalEmail(clean) ?? clean
}

/** True if two addresses have one canonical form. */
export const isSameEmail = (one: string, other: string): boolean =>
  searchedEmail(one).toLowerCase() === searchedEmail(other).toLowerCase()

/** True if mail can be sent to an address. */
export const isMailable = (email: string): boolean => canonicalEmail(email) !== null

/**
 * Returns the key by which limits and refusals count a mailbox: its canonical address without a tag after a plus and,
 * where the provider ignores them, without dots. Mail is never sent to this key.
 */
export const mailboxOf = (email: string): string => {
  const address = canonicalEmail(email) ?? cleanEmail(email).toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const [name = ''] = address.slice(0, Math.max(0, at)).split('+')
  if (!DOTLESS.has(domain)) return `${name}@${domain}`
  return `${name.replaceAll('.', '')}@gmail.com`
}
