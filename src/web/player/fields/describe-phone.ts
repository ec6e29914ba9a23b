import { ParseError, parsePhoneNumberWithError } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'
import { type ParsePhone, readPhone } from '#domain/common/phone-numbers.ts'
import { type PhoneReadingParts, parts } from '#web/player/parts.ts'

/**
 * Returns how a phone number is read, or advice if the reading is uncertain. Returns '' for a blank field, and for a
 * number of a country that the build has left out (scripts/phone-metadata.ts).
 */
export const describePhone: PhoneReadingParts['describePhone'] = ({ question, quiz }, typed) => {
  if (!question.phone || !typed.trim()) return ''
  let isOfOtherCountry = false
  const parse: ParsePhone = (text, country) => {
    try {
      return parsePhoneNumberWithError(text, country, metadata)
    } catch (error) {
      if (!(error instanceof ParseError)) throw error
      isOfOtherCountry = error.message === 'INVALID_COUNTRY'
      return undefined
    }
  }
  const reading = readPhone(typed, question.phone.country, parse)
  if (reading) return `Numéro compris : ${reading.readable}`
  return isOfOtherCountry ? '' : parts.wordingOf(quiz, 'Vérifiez ou ajoutez l’indicatif (+33…).')
}
