/** Addresses that creators choose: of their quiz, and of where they lead their participants. */

const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,58})[a-z0-9]$/
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** True for 3 to 60 of a–z, 0–9 and -, which neither begins nor ends with -. An id is no slug. */
export const isSlug = (text: string): boolean => SLUG.test(text) && !UUID.test(text)

/**
 * True for an address that a button or a redirection may lead to: https, a host, no name and password. It may
 * have insertions after its host.
 */
export const isLinkAddress = (text: string): boolean =>
  /^https:\/\/[^\s/?#@\\{}]+(?:[/?#]\S*)?$/i.test(text)
