import { hasInvisible } from './blank-text.ts'

/** Addresses of sites, as creators write them and browsers open them. */

/** The parts of an address as the platform's parser reads them. */
type ParsedUrl = { readonly hostname: string }
/** Browsers and Node have this parser; the ECMAScript library, which the domain is checked with, does not declare it. */
declare const URL: new (address: string) => ParsedUrl

/** Parses an absolute address as browsers do; returns undefined if they refuse it. */
export const parseUrl = (address: string): ParsedUrl | undefined => {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}

const WEB_ADDRESS = /^https?:\/\/[^\s/?#@\\{}]+(?:[/?#]\S*)?$/i

/**
 * True for an address of a site that browsers can open: http or https, no name and password, no invisible or bidi
 * character. Insertions may come after its host.
 */
export const isWebAddress = (text: string): boolean =>
  WEB_ADDRESS.test(text) && !hasInvisible(text) && parseUrl(text) !== undefined

/** True for an address that a button or a redirection may lead to: a web address in https. */
export const isLinkAddress = (text: string): boolean => /^https:/i.test(text) && isWebAddress(text)
