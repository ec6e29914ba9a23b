/** SPDX identifiers of the licences that packages may have. Each permits use, changes and redistribution in any product. */
const PERMITTED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
]

/**
 * Packages with another licence that may run on the server, with the reason. None of them may reach the browser. A name ends
 * with `*` if the rest is a platform.
 */
const SERVER_EXCEPTIONS: { name: string; licence: string; reason: string }[] = [
  {
    name: '@img/sharp-libvips-*',
    licence: 'LGPL-3.0-or-later',
    reason: 'sharp loads libvips as a shared library, which an operator can replace',
  },
]

/** Licences of packages whose package.json names none; they were read in the text of the licence. */
const UNNAMED_LICENCES: Record<string, string> = { 'png-js': 'MIT' }

/** Returns the SPDX expression of a package, from its package.json or from our list; undefined if both have none. */
export const licenceOf = (name: string, declared: unknown): string | undefined =>
  typeof declared === 'string' && declared !== '' ? declared.trim() : UNNAMED_LICENCES[name]

/**
 * Returns true if an SPDX expression allows a permitted licence: one of the alternatives of `OR`, or all parts of `AND`.
 * Expressions with both are refused, because no package has one.
 */
const isPermitted = (expression: string): boolean => {
  const words = expression.replace(/^\((.*)\)$/, '$1')
  const parts = words.split(/ (?:AND|OR) /)
  if (words.includes(' AND ') && words.includes(' OR ')) return false
  const isKnown = (part: string): boolean => PERMITTED.includes(part)
  return words.includes(' OR ') ? parts.some(isKnown) : parts.every(isKnown)
}

/** Returns true if a package of the given licence may be delivered: to the browser, or only to operators of servers. */
export const mayDeliver = ({
  name,
  licence,
  is_on_server_only,
}: {
  name: string
  licence: string
  is_on_server_only: boolean
}): boolean =>
  isPermitted(licence) ||
  (is_on_server_only &&
    SERVER_EXCEPTIONS.some(
      (exception) =>
        exception.licence === licence && name.startsWith(exception.name.replace('*', '')),
    ))
