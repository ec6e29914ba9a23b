/** Maximum lengths of the texts of a crash report. */
export const CRASH_LIMITS = { name: 60, message: 500, screen: 60, position: 120, release: 80 }

/** Maximum length of a message in the log. */
const MAX_LOGGED_LENGTH = 200

/** Words that the code can contain: names, paths of properties and short numbers. */
const IS_CODE = /^[\w$.#[\]()-]{1,40}$/

/** Sign of an address, long number, or letter beyond ASCII in a word. */
const MAY_BE_PERSONAL = /[@?&%/\\]|\d{4}|[^\x20-\x7e…]/

/**
 * Returns the message of an error without anything that a person may have typed: quoted texts, addresses, long numbers
 * and words beyond ASCII are replaced by « … ».
 */
export const cleanCrashMessage = (message: string): string =>
  message
    .slice(0, CRASH_LIMITS.message)
    .replace(/(["'`])([^"'`]*)\1/g, (_, quote: string, text: string) =>
      IS_CODE.test(text) ? `${quote}${text}${quote}` : `${quote}…${quote}`,
    )
    .split(/\s+/)
    .map((word) => (MAY_BE_PERSONAL.test(word) ? '…' : word))
    .join(' ')
    .trim()
    .slice(0, MAX_LOGGED_LENGTH)
