import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { PhoneCountry } from '#domain/common/phone-countries.ts'

/**
 * Prefixes of the French departments and collectivities overseas by country code, without the leading zero. A caller
 * in France dials them like other French numbers, but +33 does not reach them.
 */
const OVERSEAS_PREFIXES: Readonly<Record<string, readonly string[]>> = {
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
 * Returns the number that a typed text means; undefined if the text is no phone number. A number without a country code is
 * read as one of `country`.
 */
const readPhone = (typed: string, country: PhoneCountry): PhoneNumber | undefined => {
  const parsed = parsePhoneNumberFromString(typed.replaceAll(/\s+/g, ' '), country)
  if (!parsed) return undefined
  const { countryCallingCode, nationalNumber } = parsed
  const code = countryCallingCode === FRANCE ? countryCodeOf(nationalNumber) : countryCallingCode
  const phone =
    code === countryCallingCode ? parsed : parsePhoneNumberFromString(`+${code}${nationalNumber}`)
  // The library lacks some new numbers overseas, so that only their length is checked.
  const isNumber = code in OVERSEAS_PREFIXES ? phone?.isPossible() : phone?.isValid()
  return isNumber ? phone : undefined
}

/** Returns the international form of a phone number (E.164), such as +33612345678; null if the text is none. */
export const internationalPhone = (typed: string, country: PhoneCountry): string | null =>
  readPhone(typed, country)?.number ?? null

/** Returns the international form with spaces, such as +33 6 12 34 56 78. Null if the text is no number. */
export const readablePhone = (typed: string, country: PhoneCountry): string | null =>
  readPhone(typed, country)?.formatInternational() ?? null
