import { validationFailed } from '#server/auth/auth-error.ts'

const SHAPE = /^[1-9]\d{1,14}$/

/** Returns a phone number in the stored form: E.164 digits without plus and spaces. Throws 400 for other texts. */
export const readE164Digits = (text: string): string => {
  const digits = text.replaceAll(' ', '').replace(/^\+/, '')
  if (SHAPE.test(digits)) return digits
  throw validationFailed('Invalid phone number format (E.164 required)')
}
