import type { QuestionType } from '#domain/common/vocabulary.ts'
import type { Page } from '#domain/questionnaire/pages.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { questionsPassed } from './path.ts'
import { partsOf, replyFault } from './replies.ts'
import type { RichQuestion, RichTextBlock } from './rich-text.ts'

/** One page of a run. */
export type SnapshotPage = Page<RichQuestion, RichTextBlock>

/**
 * The questions that hold « Suivant » back under these rules (spec §5): every blank one on the public
 * page, the blank multiple-choice ones alone in the preview; none that may be left blank. And those whose reply
 * does not fit, of which too many answers are chosen or too much is typed.
 */
export const unanswered = (
  page: SnapshotPage,
  replies: Replies,
  { needs_every_answer }: { needs_every_answer: boolean },
): SnapshotQuestion[] =>
  page.items.flatMap((item) => {
    if (item.kind !== 'question') return []
    const { question } = item
    const isAsked = question.is_required !== false && (needs_every_answer || isChoice(question))
    const isBlank = partsOf(replies, question).length === 0
    return (isBlank ? isAsked : replyFault(question, replies)) ? question : []
  })

/** The answer of the first email-type question that the run passes, trimmed, or '' (spec §7). */
export const participantEmail = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
  passed = questionsPassed(questions, replies),
): string => {
  const first = passed.find(({ type }) => type === 'email')
  return first ? (partsOf(replies, first)[0]?.trim() ?? '') : ''
}

/** A telephone number as a field accepts it: at least six digits, with any other characters between them. */
export const PHONE_PATTERN = '(?:\\D*\\d){6,}\\D*'

/** Pattern of an email field: a domain with a dot, whose last part does not begin with a digit. */
export const EMAIL_PATTERN = '.+@.+[.。][^\\d.。][^.。]*'
/** Message for an address with an accent before the @. */
export const ACCENTED_EMAIL = 'Une adresse email n’a pas d’accent avant le @.'

/** The message for a reply that does not have the form its question asks for. */
export const WRONG_FORMAT: Partial<Record<QuestionType, string>> = {
  email: 'Saisissez une adresse email complète, par exemple nom@exemple.fr.',
  phone: 'Saisissez un numéro d’au moins six chiffres, par exemple 06 12 34 56 78.',
  number: 'Saisissez un nombre, par exemple 123.',
}
export const WRONG_DAY = 'Saisissez une date complète, par exemple 31/12/2026.'

/** How far a run is, in whole percent, the page being taken included. */
export const progress = (page_index: number, page_count: number): number =>
  page_count === 0 ? 0 : Math.round(((page_index + 1) / page_count) * 100)
