/** Returns a phone number with its country code, which French numbers may omit; undefined when it is invalid. */
export const readPhoneNumber = (text: string): string | undefined => {
  const bare = text.replaceAll(/[\s.()/-]/g, '').replace(/^00/, '+')
  const number = bare.replace(/^0(?=[1-9]\d{8}$)/, '+33')
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : undefined
}

/** Returns a phone number for display; numbers of other countries are split into groups of three digits. */
export const formatPhoneNumber = (digits: string): string => {
  const french = /^33(\d)(\d{8})$/.exec(digits)
  if (french) return `+33 ${french[1]} ${french[2]?.replaceAll(/(\d{2})(?=\d)/g, '$1 ')}`
  return `+${digits.replaceAll(/(\d{3})(?=\d)/g, '$1 ')}`
}

/** Returns the error of a phone number; undefined when it is valid. */
export const phoneNumberError = (text: string): string | undefined => {
  if (text.trim() === '') return 'Le numéro est obligatoire'
  return readPhoneNumber(text)
    ? undefined
    : 'Numéro attendu de la forme 06 12 34 56 78 ou +32 470 12 34 56'
}
