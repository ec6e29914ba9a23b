import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { PhoneCountry } from '#domain/common/phone-countries.ts'
import { readPhone } from '#domain/common/phone-numbers.ts'

/** Returns the international form of a phone number (E.164), such as +33612345678; null without certainty. */
export const internationalPhone = (typed: string, country: PhoneCountry): string | null =>
  readPhone(typed, country, parsePhoneNumberFromString)?.number ?? null

/** Returns the international form with spaces, such as +33 6 12 34 56 78; null without certainty. */
export const readablePhone = (typed: string, country: PhoneCountry): string | null =>
  readPhone(typed, country, parsePhoneNumberFromString)?.readable ?? null
