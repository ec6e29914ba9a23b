import { PhoneNote, phoneProps } from '#web/player/fields/phone-field.tsx'
import { type PhoneParts, parts } from '#web/player/parts.ts'

/** Phone fields, for pages whose quiz has some. Another file reads their numbers (phone-reading.ts). */
const PHONES: PhoneParts = { phoneProps, PhoneNote }
Object.assign(parts, PHONES)
