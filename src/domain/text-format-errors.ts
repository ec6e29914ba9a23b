import { Misread } from './text-format-signs.ts'

/** Why a line, counted from 1, is not understood, in French. */
export type TextError = { line: number; message: string }

const MOST_ERRORS = 100
const MORE = 'Il y a d’autres erreurs : corrigez d’abord les précédentes.'

/** What is wrong with a text, line by line: the first hundred errors. */
export type TextErrors = ReturnType<typeof createErrors>

export const createErrors = () => {
  const errors: TextError[] = []
  const add = (line: number, message: string): void => {
    if (errors.length < MOST_ERRORS) errors.push({ line, message })
  }
  return {
    add,
    isFull: () => errors.length >= MOST_ERRORS,
    /** What `read` gives; where it throws Misread that is an error of the line, and `otherwise` is given. */
    attempt: <T>(line: number, read: () => T, otherwise: T): T => {
      try {
        return read()
      } catch (error) {
        if (!(error instanceof Misread)) throw error
        add(line, error.message)
        return otherwise
      }
    },
    /** Whether there are as many as there may be, which is said once. */
    exceeds: (line: number, count: number, limit: number, what: string): boolean => {
      if (count < limit) return false
      const message = `Un questionnaire a ${limit} ${what} au plus.`
      if (!errors.some((error) => error.message === message)) add(line, message)
      return true
    },
    /** All of them, in the order of the lines. */
    list: (): TextError[] => {
      const list = errors.toSorted((a, b) => a.line - b.line)
      const last = list.at(-1)
      return last && list.length >= MOST_ERRORS
        ? [...list, { line: last.line, message: MORE }]
        : list
    },
  }
}
