import type { DescribedError } from './describe-error.ts'

/** Logged error without its places in the code. */
type RecentError = Omit<DescribedError, 'frames' | 'script'> & {
  at: string
  report_id: string | null
}

/** Last errors of this process, for its administrators. */
export type RecentErrors = {
  /** Adds an error with the id of its report. */
  add: (described: DescribedError, report_id: string | undefined) => void
  /** Returns the errors, newest first. */
  list: () => RecentError[]
}

const MAX_ERRORS = 50
/** Maximum bytes of all errors as JSON. */
const MAX_BYTES = 32_768
/** Maximum length of the sentence of an error. */
const MAX_TEXT_LENGTH = 300

/**
 * Creates the list of the last errors of a process, bounded in number and bytes. The list has classes, codes and sentences
 * of our code only, because messages of errors may quote what a person typed.
 */
export const createRecentErrors = (now: () => Date = () => new Date()): RecentErrors => {
  let errors: { error: RecentError; bytes: number }[] = []
  return {
    add: ({ where, type, code, text, screen }, report_id) => {
      const error: RecentError = {
        where,
        type,
        code,
        screen,
        text: text.slice(0, MAX_TEXT_LENGTH),
        at: now().toISOString(),
        report_id: report_id ?? null,
      }
      const added = { error, bytes: Buffer.byteLength(JSON.stringify(error)) }
      let sum_bytes = 0
      errors = [added, ...errors].slice(0, MAX_ERRORS).filter(({ bytes }) => {
        sum_bytes += bytes
        return sum_bytes <= MAX_BYTES
      })
    },
    list: () => errors.map(({ error }) => error),
  }
}
