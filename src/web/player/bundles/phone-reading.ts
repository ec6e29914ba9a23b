import { describePhone } from '#web/player/fields/describe-phone.ts'
import { type PhoneReadingParts, parts } from '#web/player/parts.ts'

/** The file that reads phone numbers, with the library for them. A page loads it when a phone field gets the focus. */
const READING: PhoneReadingParts = { describePhone }
Object.assign(parts, READING)
