const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z')

/** Returns true if a text is a calendar day such as `2026-02-28`. */
export const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  // JavaScript engines differ for days such as February 30: some refuse them, others read them as days of March.
  // There was no year 0.
  return time >= FIRST_DAY && new Date(time).toISOString().startsWith(text)
}

/** First day that a visitor can give; earlier years are typing errors. */
export const EARLIEST_DAY = '1800-01-01'
/** Last day that a visitor can give; later years are typing errors. */
export const LATEST_DAY = '2199-12-31'

/** Returns true for a day that a visitor can give, also with a year of two digits, which `withFullYear` completes. */
export const isPossibleDay = (day: string): boolean =>
  day.startsWith('00') || (day >= EARLIEST_DAY && day <= LATEST_DAY)

/** Returns true if the French text of a question asks for a birthday. */
export const asksForBirthday = (text: string): boolean => /naissance|\bnée?(?![a-zà-ÿ])/i.test(text)

/**
 * Returns a day whose year was typed with two digits, which browsers send as `0026-12-31`, with a year of this century.
 * A birthday after `this_year` is of the century before. Returns any other text unchanged.
 */
export const withFullYear = (
  day: string,
  { is_birthday, this_year }: { is_birthday: boolean; this_year: number },
): string => {
  if (!day.startsWith('00')) return day
  const year = 2_000 + Number(day.slice(2, 4))
  return `${is_birthday && year > this_year ? year - 100 : year}${day.slice(4)}`
}
