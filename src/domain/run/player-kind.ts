import { hasWelcome } from '#domain/questionnaire/pages.ts'
import type { RichQuestion, RichSnapshot } from './rich-text.ts'

/**
 * Builds of the player, from small to large. `plain` supports the specification; `dressed` adds images, a welcome
 * screen, formatting, insertions and links. `whole` adds scales, dates, jumps, tie rules and options such as « Autre ».
 */
export type PlayerKind = 'plain' | 'dressed' | 'whole'

/** Returns the smallest player bundle that can run a snapshot. */
export const playerKindOf = (snapshot: RichSnapshot): PlayerKind => {
  const { quiz, questions } = snapshot
  if (quiz.tie_rule || !questions.every(isPlainQuestion)) return 'whole'
  return isPlain(snapshot) ? 'plain' : 'dressed'
}

/** Returns true if a questionnaire shows no image, welcome screen, detail, formatting, address, insertion or link. */
const isPlain = (snapshot: RichSnapshot): boolean => {
  const { quiz, questions, text_blocks, results } = snapshot
  const texts = [
    quiz.end_text,
    ...text_blocks.map(({ content }) => content),
    ...results.map(({ description }) => description),
  ]
  return (
    !texts.some(Array.isArray) &&
    !INSERTION_OR_ADDRESS.test(JSON.stringify(snapshot)) &&
    hasNoExtras(quiz, questions, results)
  )
}

/** Signs of an insertion or of an address in a text. */
const INSERTION_OR_ADDRESS = /\{\{|:\/\/|www\.|@/i

const hasNoExtras = (
  quiz: RichSnapshot['quiz'],
  questions: RichSnapshot['questions'],
  results: RichSnapshot['results'],
): boolean =>
  !hasWelcome(quiz) &&
  !quiz.logo_image_id &&
  !quiz.shows_detail &&
  !quiz.end_button_url &&
  !results.some((one) => one.image_id || one.button_url || one.redirect_url) &&
  !questions.some(({ image_id, answers }) => image_id || answers.some((one) => one.image_id))

/** Returns true if a question has one of the six types of the specification and no other option. */
const isPlainQuestion = ({ type, answers, ...question }: RichQuestion): boolean =>
  type !== 'scale' &&
  type !== 'date' &&
  question.is_required !== false &&
  question.max_choices === undefined &&
  !(question.help_text ?? question.help) &&
  !question.has_other &&
  !question.shuffles_answers &&
  !answers.some(({ jump_to }) => typeof jump_to === 'number')
