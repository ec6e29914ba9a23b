import {
  CALLING_CODES,
  PHONE_COUNTRIES,
  type PhoneCountry,
} from '#domain/common/phone-countries.ts'
import type { QuizType } from '#domain/common/vocabulary.ts'
import type { Consent, PhoneNote, Snapshot } from '#domain/questionnaire/snapshot.ts'
import { wordingOf } from './wording/wording.ts'

/** Additions to the questions of a version, from settings that apply without a new publication. */
export type QuestionNotes = {
  /** Consent checkbox at the email question. */
  consent: Consent | null
  /** Checkbox of the second consent at the email question. */
  measure: Consent | null
  /** True if the quiz sends a mail to participants, which the email question says. */
  is_mailed: boolean
  /** Country of the account, with which phone numbers without a country code are read. */
  country: PhoneCountry | null
}

/** Empty additions. */
export const NO_NOTES: QuestionNotes = {
  consent: null,
  measure: null,
  is_mailed: false,
  country: null,
}

const MAIL_NOTES: Record<QuizType, string> = {
  quiz: 'Vous recevrez votre résultat par email.',
  sondage: 'Vous recevrez un email de confirmation.',
}

/** Returns the note at a phone question: the country, and the sentence that names it. */
const phoneNoteOf = (country: PhoneCountry): PhoneNote => ({
  country,
  hint: `Numéro sans indicatif : ${PHONE_COUNTRIES[country]} (+${CALLING_CODES[country]}).`,
})

/**
 * Returns the snapshot with the checkboxes and the mail note at its first email question, whose reply is the participant's
 * address, and with the country at its phone questions. Returns the same snapshot if there is nothing to add.
 */
export const addQuestionNotes = (
  snapshot: Snapshot,
  { consent, measure, is_mailed, country }: QuestionNotes,
): Snapshot => {
  const { quiz, questions } = snapshot
  const email =
    consent || measure || is_mailed ? questions.find(({ type }) => type === 'email') : undefined
  const hasPhones = country !== null && questions.some(({ type }) => type === 'phone')
  if (!email && !hasPhones) return snapshot
  const help = [email?.help, is_mailed && wordingOf(quiz, MAIL_NOTES[quiz.type])]
    .filter(Boolean)
    .join('\n\n')
  return {
    ...snapshot,
    questions: questions.map((question) => {
      if (question === email)
        return {
          ...question,
          ...(help && { help }),
          ...(consent && { consent }),
          ...(measure && { measure }),
        }
      return country && question.type === 'phone'
        ? { ...question, phone: phoneNoteOf(country) }
        : question
    }),
  }
}
