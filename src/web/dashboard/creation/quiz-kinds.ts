import type { QuizType } from '#domain/common/vocabulary.ts'
import type { ConvertedText } from '#domain/imports/print-import.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'

/** Questionnaire of another product, converted into a text for review. */
export type ImportedText = ConvertedText & { product: string }

/** Props of a panel that creates a questionnaire. */
export type CreationPanelProps = {
  /** Called after the quiz has been created: puts it first in the list and opens its editor. */
  onCreated: (quiz: Quiz) => void
  /** Converted file to review, for the panel of texts. */
  imported?: ImportedText | undefined
}

type QuizKind = { type: QuizType; label: string; explanation: string }

/** The two choices of a creation, in the order of their keys (product 7.4). */
export const QUIZ_KINDS: readonly QuizKind[] = [
  {
    type: 'quiz',
    label: 'Quiz avec résultat',
    explanation: 'À la fin, chaque personne découvre son résultat.',
  },
  {
    type: 'sondage',
    label: 'Sondage',
    explanation: 'Vous recueillez des avis ; personne n’a de résultat.',
  },
]

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>

/**
 * Returns the choice of the keys 1 and 2, also on keyboards where digits need Shift; undefined with Ctrl, ⌘ or Alt.
 */
export const kindOfKey = ({ key, code, ctrlKey, metaKey, altKey }: Key): QuizKind | undefined => {
  if (ctrlKey || metaKey || altKey) return undefined
  return QUIZ_KINDS.find((_, index) => key === `${index + 1}` || code === `Digit${index + 1}`)
}

/** Returns the choice that an arrow key leads to. */
export const kindOfArrow = (key: string): QuizKind | undefined => {
  if (key === 'ArrowUp' || key === 'ArrowLeft') return QUIZ_KINDS[0]
  if (key === 'ArrowDown' || key === 'ArrowRight') return QUIZ_KINDS.at(-1)
  return undefined
}
