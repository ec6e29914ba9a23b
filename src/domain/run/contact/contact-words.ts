import { comparableText } from '#domain/common/comparable-text.ts'
import type { ContactData } from './contact.ts'

/** Names without accents, for which a faster path takes a third of the time. */
const PLAIN_NAME = /^[a-z0-9 -]*$/i

/** Words of a name: letters, digits and emoji without case and accents; all other signs separate words. */
const nameWords = (name: string): string[] =>
  PLAIN_NAME.test(name) ? (name.toLowerCase().match(/[a-z0-9]+/g) ?? []) : foldedWords(name)

const foldedWords = (name: string): string[] =>
  comparableText(name)
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .split(/[^\p{L}\p{N}\p{So}]+/u)
    .filter(Boolean)

/** Returns the digits of a whole phone number without the code of France and first zeros. */
const phoneDigits = (phone: string): string =>
  phone
    .replaceAll(/\D/g, '')
    .replace(/^(?:00)?33(0?\d{9})$/, '$1')
    .replace(/^0+/, '')

/**
 * Returns the words by which a search finds contact data: words of the names, and digits of the phone number. Empty
 * without contact data.
 */
export const contactWords = ({ first_name, last_name, phone }: ContactData): string[] => {
  const words = first_name === null ? [] : nameWords(first_name)
  if (last_name !== null) words.push(...nameWords(last_name))
  const digits = phone === null ? '' : phoneDigits(phone)
  if (digits) words.push(digits)
  return words
}

/** Text that consists of at least three digits and the signs of phone numbers. */
const PHONE = /^[+(\s]*(?:\d[\s.()/-]*){3,}$/
/** Code of France at the beginning of a phone number, also before a whole national number without a sign. */
const FRANCE = /^\s*(?:\+|00)\s*33|^33(?=0?\d{9}$)/

/**
 * Returns the beginnings of words that a search text names: digits of a phone number, or words of a name. Empty if the
 * text has neither.
 */
export const searchedWords = (text: string): string[] => {
  const digits = PHONE.test(text)
    ? text.replace(FRANCE, '').replaceAll(/\D/g, '').replace(/^0+/, '')
    : ''
  return digits ? [digits] : nameWords(text)
}
