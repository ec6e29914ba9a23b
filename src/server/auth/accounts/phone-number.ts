import { validationFailed } from '#server/auth/auth-error.ts'

const SHAPE = /^[1-9]\d{1,14}$/

/** A number as it is kept: digits of E.164, without plus and spaces. 400 for anything else. */
export const readPhone = (text: string): string => {
  const digits = text.replaceAll(' ', '').replace(/^\+/, '')
  if (SHAPE.test(digits)) return digits
  throw validationFailed('Invalid phone number format (E.164 required)')
}
