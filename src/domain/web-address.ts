import { hasInvisible } from './blank-text.ts'

/** Parsed parts of an address that the domain uses. */
type ParsedUrl = { readonly hostname: string }
/** Declared here because the domain is type-checked without the libraries of browsers and Node, which both have URL. */
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
 * Returns true for the address of a site that browsers can open: http or https, without credentials and without
 * invisible or bidi characters. Insertions may follow the host.
 */
export const isWebAddress = (text: string): boolean =>
  WEB_ADDRESS.test(text) && !hasInvisible(text) && parseUrl(text) !== undefined

/** Returns true if a button or a redirection may lead to this address: a web address in https. */
export const isLinkAddress = (text: string): boolean => /^https:/i.test(text) && isWebAddress(text)
