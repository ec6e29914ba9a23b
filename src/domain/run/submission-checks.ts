import { isMailable } from '#domain/common/addresses.ts'
import { isDay, isPossibleDay } from '#domain/common/days.ts'
import { isBlankText } from '#domain/common/text.ts'
import { MAX_OTHER_TEXT_LENGTH } from '#domain/common/vocabulary.ts'
import type { Page } from '#domain/questionnaire/pages.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from './path.ts'
import { maxChoicesOf, type ReplyFault, replyFault, replyPartsOf, scaleOf } from './replies.ts'
import type { RichQuestion, RichTextBlock } from './rich-text.ts'

/** Page of a run. */
export type SnapshotPage = Page<RichQuestion, RichTextBlock>

/**
 * Returns the questions that block « Suivant » (product 8.5): required questions without a reply, and invalid replies.
 * In the preview, only multiple-choice questions are required.
 */
export const findBlockingQuestions = (
  page: SnapshotPage,
  replies: Replies,
  { needs_every_answer }: { needs_every_answer: boolean },
): SnapshotQuestion[] =>
  page.items.flatMap((item) => {
    if (item.kind !== 'question') return []
    const { question } = item
    const isAsked = question.is_required !== false && (needs_every_answer || isChoice(question))
    const isBlank = replyPartsOf(replies, question).length === 0
    return (isBlank ? isAsked : replyFault(question, replies)) ? question : []
  })

/**
 * Returns the French reasons why the replies cannot be stored for this version (product 9.4). Checks missing and
 * invalid replies of visited pages, and replies to unknown questions. Empty if the replies are valid.
 */
export const replyErrors = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
  passed = visitedQuestions(questions, replies),
): string[] => {
  const errors: string[] = []
  if (hasUnknownQuestions(questions, replies)) {
    const known = new Set(questions.map(({ id }) => id))
    for (const id of Object.keys(replies))
      if (!known.has(id)) errors.push(`La question ${id} ne fait pas partie de ce questionnaire`)
  }
  for (const question of passed) {
    const { text, is_required = true } = question
    if (replyPartsOf(replies, question).length === 0) {
      if (is_required) errors.push(`La question "${text}" n'a pas de réponse`)
      continue
    }
    const fault = replyFault(question, replies)
    if (fault) errors.push(replyFaultMessage(question, fault))
  }
  return errors
}

/**
 * Returns the French reasons why a submission is refused: `replyErrors`, replies to email questions to which no mail can
 * be sent, and days of impossible years. Responses from before these rules have such replies, so that `replyErrors`
 * accepts them.
 */
export const submissionErrors = (
  snapshot: Pick<Snapshot, 'questions'>,
  replies: Replies,
  passed = visitedQuestions(snapshot.questions, replies),
): string[] => [
  ...replyErrors(snapshot, replies, passed),
  ...passed
    .filter((question) => question.type === 'email')
    .filter((question) => replyPartsOf(replies, question).some((part) => !isMailable(part)))
    .map(({ text }) => `La question "${text}" attend ${COMPLETE_ADDRESS}`),
  ...passed
    .filter((question) => question.type === 'date')
    .filter((question) =>
      replyPartsOf(replies, question).some((day) => isDay(day) && !isPossibleDay(day)),
    )
    .map(({ text }) => `La question "${text}" attend une date entre 1800 et 2199`),
]

/** Returns the French reason why the field `email` of a submission is refused; undefined for a valid or blank address. */
export const addressError = (email: string): string | undefined =>
  isBlankText(email) || isMailable(email) ? undefined : `Il faut ${COMPLETE_ADDRESS}`

const COMPLETE_ADDRESS = 'une adresse email complète, par exemple nom@exemple.fr'

/** Returns the French message for an invalid reply. */
export const replyFaultMessage = (question: SnapshotQuestion, fault: ReplyFault): string => {
  const { text } = question
  if (fault === 'not_offered') return `La réponse à la question "${text}" n'est pas proposée`
  const max = maxChoicesOf(question)
  const { from, to } = scaleOf(question)
  const WORDS: Record<typeof fault, string> = {
    several: "n'accepte qu'une réponse",
    too_many: `accepte au plus ${max} réponse${max > 1 ? 's' : ''}`,
    twice: 'a deux fois la même réponse',
    too_long: `accepte un texte de ${MAX_OTHER_TEXT_LENGTH} caractères au plus`,
    not_on_scale: `attend un nombre entier de ${from} à ${to}`,
    no_day: 'attend une date du calendrier',
  }
  return `La question "${text}" ${WORDS[fault]}`
}

/**
 * Returns true if there are replies to unknown questions. Compares counts, because this is rare and every submission
 * is checked.
 */
const hasUnknownQuestions = (questions: readonly SnapshotQuestion[], replies: Replies): boolean => {
  let nb_known = 0
  for (const { id } of questions) if (Object.hasOwn(replies, id)) nb_known++
  return nb_known < Object.keys(replies).length
}
