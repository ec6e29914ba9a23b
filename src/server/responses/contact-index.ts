import type { ContactData } from '#domain/run/contact.ts'
import { contactWords, searchedWords } from '#domain/run/contact-words.ts'

const QUIZ_PART_LENGTH = 8

/** Returns a quoted lexeme: the word after the end of the quiz id. */
const lexeme = (quiz_id: string, word: string): string =>
  `'${quiz_id.slice(-QUIZ_PART_LENGTH)}${word.replaceAll(/['\\]/g, '$&$&')}'`

/** Returns the text of the `tsvector` by which a response is found; null without contact data. */
export const contactVector = (quiz_id: string, contact: ContactData): string | null => {
  const words = contactWords(contact)
  return words.length === 0 ? null : words.map((word) => lexeme(quiz_id, word)).join(' ')
}

/**
 * Returns the text of the `tsquery` for responses of the quiz with words that begin with the words of the text.
 * Undefined if the text has no word.
 */
export const contactQuery = (quiz_id: string, text: string): string | undefined => {
  const words = searchedWords(text)
  return words.length === 0
    ? undefined
    : words.map((word) => `${lexeme(quiz_id, word)}:*`).join(' & ')
}
