import { CALLING_CODES } from './phone-countries.ts'
import { OVERSEAS_PREFIXES } from './phone-numbers.ts'

/** Parts of the metadata of the library `libphonenumber-js` that depend on the country. */
type PhoneMetadata = {
  /** Countries by country code. */
  country_calling_codes: Readonly<Record<string, readonly string[]>>
  countries: object
  /** Numbers of no country, such as +800, by country code. */
  nonGeographic: object
}

/** Country codes whose numbers the public page reads: those of the accounts, and those of the departments overseas. */
const READ_CODES = [...Object.values(CALLING_CODES), ...Object.keys(OVERSEAS_PREFIXES)]

/**
 * Returns the metadata of the country codes that the public page reads. Countries that share a country code stay together:
 * the first has the formats of all, and each decides which numbers are valid.
 */
export const reduceMetadata = <Metadata extends PhoneMetadata>(metadata: Metadata): Metadata => {
  const codes = Object.entries(metadata.country_calling_codes).filter(([code]) =>
    READ_CODES.includes(code),
  )
  const names = codes.flatMap(([, countries]) => countries)
  const countries = Object.entries(metadata.countries).filter(([name]) => names.includes(name))
  return {
    ...metadata,
    country_calling_codes: Object.fromEntries(codes),
    countries: Object.fromEntries(countries),
    nonGeographic: {},
  }
}
