import type { PhoneCountry } from './phone-countries.ts'

/** Number that a typed text means. */
export type PhoneReading = {
  /** International form (E.164), such as +32470123456. */
  number: string
  /** International form with spaces, such as +32 470 12 34 56. */
  readable: string
}

/** Number that the library `libphonenumber-js` has parsed. */
type ParsedPhone = {
  countryCallingCode: string
  /** Digits after the country code. */
  nationalNumber: string
  number: string
  isPossible: () => boolean
  isValid: () => boolean
  formatInternational: () => string
}

/** Parse function of the library `libphonenumber-js`. Returns undefined if the text is no single number. */
export type ParsePhone = (text: string, country: PhoneCountry) => ParsedPhone | undefined

/** Maximum length in characters of a typed phone number. A longer text is not stored as contact data. */
export const MAX_PHONE_LENGTH = 40

/**
 * Prefixes of the French departments and collectivities overseas by country code, without the leading zero. A caller
 * in France dials them like other French numbers, but +33 does not reach them.
 */
export const OVERSEAS_PREFIXES: Readonly<Record<string, readonly string[]>> = {
  '262': ['262', '263', '269', '639', '692', '693'],
  '590': ['590', '690', '691'],
  '594': ['594', '694'],
  '596': ['596', '696', '697'],
}

const FRANCE = '33'

/** Returns the country code of a French national number without its zero. */
const countryCodeOf = (national: string): string =>
  Object.keys(OVERSEAS_PREFIXES).find((code) =>
    OVERSEAS_PREFIXES[code]?.some((prefix) => national.startsWith(prefix)),
  ) ?? FRANCE

/**
 * Returns the number that a typed text means; null without certainty. A number without a country code is read as one of
 * `country`, and an extension is left out. The public page and the server read numbers with this function, and each
 * gives the parse function of the library (docs/decisions/051).
 */
export const readPhone = (
  typed: string,
  country: PhoneCountry,
  parse: ParsePhone,
): PhoneReading | null => {
  const line = typed.replaceAll(/\s+/g, ' ').trim()
  const parsed = line.length > MAX_PHONE_LENGTH ? undefined : parse(line, country)
  if (!parsed) return null
  const { countryCallingCode, nationalNumber } = parsed
  const code = countryCallingCode === FRANCE ? countryCodeOf(nationalNumber) : countryCallingCode
  const phone = parse(`+${code}${nationalNumber}`, country)
  // The library lacks some new numbers overseas, so that only their length is checked.
  const isNumber = code in OVERSEAS_PREFIXES ? phone?.isPossible() : phone?.isValid()
  return phone && isNumber ? { number: phone.number, readable: phone.formatInternational() } : null
}
