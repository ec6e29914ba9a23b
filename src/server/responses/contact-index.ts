import type { ContactData } from '#domain/run/contact/contact.ts'
import { contactWords, searchedWords } from '#domain/run/contact/contact-words.ts'

const QUIZ_PART_LENGTH = 8

/** Returns a quoted lexeme: the word after the end of the quiz id. Words contain no signs that need an escape. */
const lexeme = (quiz_part: string, word: string): string => `'${quiz_part}${word}'`

const quizPart = (quiz_id: string): string => quiz_id.slice(-QUIZ_PART_LENGTH)

/** Returns the text of the `tsvector` by which a response is found; null without contact data. */
export const contactVector = (quiz_id: string, contact: ContactData): string | null => {
  const words = contactWords(contact)
  if (words.length === 0) return null
  const quiz_part = quizPart(quiz_id)
  let vector = ''
  for (const word of words) vector += `${lexeme(quiz_part, word)} `
  return vector
}

/**
 * Returns the text of the `tsquery` for responses of the quiz with words that begin with the words of the text.
 * Undefined if the text has no word.
 */
export const contactQuery = (quiz_id: string, text: string): string | undefined => {
  const words = searchedWords(text)
  return words.length === 0
    ? undefined
    : words.map((word) => `${lexeme(quizPart(quiz_id), word)}:*`).join(' & ')
}
