import { trimText } from '#domain/common/text.ts'
import type { QuestionType } from '#domain/common/vocabulary.ts'
import { itemsInOrder, placeOf } from '#domain/questionnaire/pages.ts'
import type { Draft, Question } from '#domain/questionnaire/quiz.ts'
import { isBlank } from '#domain/questionnaire/snapshot.ts'
import { insertionKey, RESULT_INSERTION, SCORE_INSERTION } from '#domain/run/rich-text.ts'

/** Words of French questions that say nothing about the reply. */
const EMPTY_WORDS = new Set(
  `quel quelle quels quelles qui que quoi où comment combien pourquoi quand est sont êtes avez aimez appelez-vous
  qu d l j je vous nous tu on en votre vos ton ta tes mon ma mes le la les un une des du de ce cette à au aux et ou
  pour par sur avec dans ne pas plus indiquez`.split(/\s+/),
)

const TYPE_LABELS: Partial<Record<QuestionType, string>> = {
  email: 'email',
  phone: 'téléphone',
}
const OTHER_LABEL = 'réponse'
const MAX_WORDS = 2
const MAX_LENGTH = 30

/** Returns a short name for a question from its words, which differs from the labels that are taken. */
export const suggestLabel = (
  { text, type }: Pick<Question, 'text' | 'type'>,
  used_labels: readonly string[],
): string => {
  const used_keys = new Set([SCORE_INSERTION, RESULT_INSERTION, ...used_labels].map(insertionKey))
  const base = TYPE_LABELS[type] ?? wordsOf(text)
  for (let count = 1; ; count++) {
    const label = count === 1 ? base : `${base} ${count}`
    if (!used_keys.has(insertionKey(label))) return label
  }
}

const wordsOf = (text: string): string => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? []
  const telling = words.filter((word) => !EMPTY_WORDS.has(word)).slice(0, MAX_WORDS)
  if (telling.join(' ').length <= MAX_LENGTH) return telling.join(' ') || OTHER_LABEL
  return telling[0]?.slice(0, MAX_LENGTH) ?? OTHER_LABEL
}

/** Question that a text cannot insert yet, with the label that it would get. */
export type UnnamedQuestion = Pick<Question, 'id' | 'text'> & { suggested_label: string }

/**
 * Returns the questions without a label before a question or text block. Without an id, returns all of them. Blank
 * questions are omitted.
 */
export const unnamedQuestionsBefore = (
  content: Pick<Draft, 'questions' | 'text_blocks'>,
  id?: string,
): UnnamedQuestion[] => {
  const items = itemsInOrder(content)
  const index = items.findIndex((item) => placeOf(item).id === id)
  const labels = content.questions.flatMap(({ label }) => label ?? [])
  return items.slice(0, index < 0 ? items.length : index).flatMap((item) => {
    if (item.kind !== 'question' || isBlank(item) || trimText(item.question.label ?? '')) return []
    const { question } = item
    const suggested_label = suggestLabel(question, labels)
    return [{ id: question.id, text: question.text, suggested_label }]
  })
}
