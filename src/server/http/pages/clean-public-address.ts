import { isSlug } from '#domain/questionnaire/access.ts'

/** Longest cleaned part of a path. Longer parts are no address of ours. */
const MAX_PART_LENGTH = 400
/** Number of parts between slashes that are read. No address of ours has so many. */
const MAX_PARTS = 50
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
/** Letter or digit of any script. All others around an address are punctuation of its sentence. */
const LETTER = /[\p{L}\p{N}]/u
/** Character that tokens may begin and end with. */
const TOKEN_LETTER = /[\p{L}\p{N}_-]/u

/** Pages below the address of a quiz, and their parts. A token is case-sensitive. */
const QUIZ_PAGES: Record<string, readonly ('token' | 'resultat')[]> = {
  rapport: ['token'],
  attestation: ['token'],
  'ma-page': ['token'],
  confirmation: ['token'],
  resultat: [],
  test: ['token', 'resultat'],
}
/** Public addresses that name no quiz. */
const OTHER_PAGES = ['attestation', 'desinscription', 'statistiques', 'oembed']
const ROOT = /^\/+(q|attestation|desinscription|statistiques|oembed)(?![\w-])/i
/** Sign after which a mail or a program has glued parameters or an anchor to a path. */
const GLUED = /&(?:amp;)?|%26(?:amp;|amp%3b)?|%3f|%23|#/i
/** Number of a certificate: sixteen letters and digits in groups. A longer number is none, and is never cut to one. */
const NUMBER = /(?<![0-9a-z]-?)(?:[0-9a-z][-\s]{0,3}){15}[0-9a-z](?!-?[0-9a-z])/i
/** Parameters of our own addresses. Others may end with any character. */
const OWN_PARAMETER = /^(test|embed|r)=(.*)$/is

const decodeRun = (escapes: string): string => {
  try {
    return decodeURIComponent(escapes)
  } catch {
    return '\ufffd'
  }
}

/** Decodes a part of a path. Bytes that a program sent without escapes count as escaped; invalid ones are kept apart. */
const decode = (part: string): string =>
  part
    .replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
    .replace(/(?:%[0-9a-f]{2})+/gi, decodeRun)
    .replace(/%[0-9a-f]?$/i, '')

/** Removes line breaks with the `=` of mails before them, other `=`, and invisible characters. */
const joinLines = (text: string): string =>
  text.replace(/[\r\n]+[ \t]*|[=\u00ad\u200b-\u200f\u2060\ufeff]/g, '').trim()

const trimTo = (text: string, pattern: RegExp): string => {
  let [start, end] = [0, text.length]
  while (start < end && !pattern.test(text.charAt(start))) start++
  while (start < end && !pattern.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** Returns a part of a path as it was meant: until its first space, without punctuation around it. */
const cleanPart = (part: string, pattern = LETTER): string =>
  trimTo(trimTo(joinLines(decode(part)), pattern).split(/\s/, 1)[0] ?? '', pattern)

const cleanToken = (part: string): string => encodeURIComponent(cleanPart(part, TOKEN_LETTER))

/** Returns the path of a quiz page; undefined if no such page exists. */
const quizPath = ([first = '', second, ...others]: string[]): string | undefined => {
  const id = cleanPart(first).toLowerCase()
  if (!isSlug(id) && !UUID.test(id)) return undefined
  if (second === undefined) return `/q/${id}`
  const word = cleanPart(second).toLowerCase()
  const shape = Object.hasOwn(QUIZ_PAGES, word) ? QUIZ_PAGES[word] : undefined
  if (!shape || others.length > shape.length || (shape[0] && !others[0])) return undefined
  const rest = others.map((part, index) =>
    shape[index] === 'token' ? cleanToken(part) : cleanPart(part).toLowerCase(),
  )
  const isKnown = rest.every(
    (part, index) => part !== '' && ['token', part].includes(shape[index] ?? ''),
  )
  return isKnown ? ['/q', id, word, ...rest].join('/') : undefined
}

/** Returns the path of a public page that names no quiz; undefined if no such page exists. */
const otherPath = (root: string, [part, ...others]: string[]): string | undefined => {
  if (root === 'oembed') return part === undefined ? '/oembed' : undefined
  // The page without a number asks for one.
  if (root === 'attestation' && part === undefined) return '/attestation'
  if (part === undefined || others.length > 0) return undefined
  // The number of a certificate may be typed with spaces between its groups.
  const [number = ''] = (root === 'attestation' && NUMBER.exec(decode(part))) || []
  const token = cleanToken(number.replace(/\s/g, '') || part)
  return token && `/${root}/${token}`
}

/** Returns true for signs after the address of a page that is complete without further parts. */
const isEndOfSentence = (root: string, path: string): boolean =>
  root === 'attestation' && path.length <= MAX_PART_LENGTH && cleanPart(path) === ''

/** Returns a parameter without the punctuation after a value of ours. */
const cleanParameter = (parameter: string): string => {
  const [, name = '', value = ''] = OWN_PARAMETER.exec(parameter) ?? []
  if (name === '' || value.length > MAX_PART_LENGTH) return parameter
  return `${name.toLowerCase()}=${cleanToken(value)}`
}

const cleanQuery = (query: string): string =>
  query
    .replace(/&amp;/gi, '&')
    .replace(/^[?&]+/, '')
    .split('&')
    .map(cleanParameter)
    .join('&')

/** Returns the parameters that were glued to a path without `?`; '' if the rest of the path has none. */
const gluedQuery = (sign: string, rest: string): string => {
  if (/#|%23/.test(sign)) return ''
  const query = sign.startsWith('%') ? rest.replace(/%3d/gi, '=').replace(/%26/g, '&') : rest
  return /^(?:[\w.~-]|%[0-9a-f]{2})+=/i.test(query) ? query : ''
}

/**
 * Returns the address that a damaged public address was meant to be, as a path with its query: without punctuation, line
 * breaks and slashes around its parts, in lower case except for tokens, and with `?` before its parameters. Returns a
 * clean address unchanged, and undefined for every other address. The result always is a path of this site.
 */
export const cleanPublicAddress = (address: string): string | undefined => {
  const [all = '', root = ''] = ROOT.exec(address) ?? []
  if (all === '') return undefined
  const mark = address.indexOf('?')
  const path = address.slice(all.length, mark < 0 ? undefined : mark)
  const name = root.toLowerCase()
  if (!/^(?:$|\/|%2f|&|%26|%3f|%23)/i.test(path) && !isEndOfSentence(name, path)) return undefined
  const [sign = ''] = GLUED.exec(path) ?? []
  const end = sign ? path.indexOf(sign) : path.length
  const parts = path
    .slice(0, end)
    .split(/\/|%2f/i, MAX_PARTS)
    .filter((part) => cleanPart(part.slice(0, MAX_PART_LENGTH), TOKEN_LETTER))
  if (parts.some((part) => part.length > MAX_PART_LENGTH)) return undefined
  const clean = OTHER_PAGES.includes(name) ? otherPath(name, parts) : quizPath(parts)
  if (!clean) return undefined
  const glued = sign && gluedQuery(sign, path.slice(end + sign.length))
  const query_text = mark < 0 ? '' : address.slice(mark + 1)
  const query = [glued, query_text].filter(Boolean).join('&')
  const kept = name === 'oembed' ? query : cleanQuery(query)
  return kept === '' ? clean : `${clean}?${kept}`
}
