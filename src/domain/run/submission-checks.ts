import { MAX_OTHER_TEXT_LENGTH, type QuestionType } from '#domain/common/vocabulary.ts'
import type { Page } from '#domain/questionnaire/pages.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from './path.ts'
import { maxChoicesOf, type ReplyFault, replyFault, replyPartsOf, scaleOf } from './replies.ts'
import type { RichQuestion, RichTextBlock } from './rich-text.ts'

/** Name of the honeypot field, which people do not see and programs fill in. */
export const HONEYPOT_FIELD = 'url'

/** Signals of a submission that help to detect spam. */
export type SpamSignals = {
  /** True if the honeypot field was filled in. */
  is_trapped: boolean
  /** Seconds from loading the page to the last answer; null if not measured. */
  elapsed_seconds: number | null
}

/** Minimum time in which a person reads and answers a question. */
const SECONDS_PER_QUESTION = 0.5

/**
 * Returns true if a submission was probably made by a program; `questions` are those that its run visited. Such
 * submissions are marked, never refused, because browsers that fill in forms also look like this.
 */
export const isLikelySpam = (
  { questions }: Pick<Snapshot, 'questions'>,
  { is_trapped, elapsed_seconds }: SpamSignals,
): boolean =>
  is_trapped ||
  (elapsed_seconds !== null && elapsed_seconds < questions.length * SECONDS_PER_QUESTION)

/** Page of a run. */
export type SnapshotPage = Page<RichQuestion, RichTextBlock>

/**
 * Returns the questions that block « Suivant » (spec §5): required questions without a reply, and invalid replies. In
 * the preview, only multiple-choice questions are required.
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
 * Returns the French reasons why the replies cannot be stored for this version (decisions « Submission »). Checks
 * missing and invalid replies of visited pages, and replies to unknown questions. Empty if the replies are valid.
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
      if (!known.has(id)) errors.push(`La question ${id} ne fait pas partie de ce quiz`)
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

/** Returns the French message for an invalid reply. */
export const replyFaultMessage = (question: SnapshotQuestion, fault: ReplyFault): string => {
  const { text } = question
  if (fault === 'not_offered') return `La réponse à la question "${text}" n'est pas proposée`
  const most = maxChoicesOf(question)
  const { from, to } = scaleOf(question)
  const WORDS: Record<typeof fault, string> = {
    several: "n'accepte qu'une réponse",
    too_many: `accepte au plus ${most} réponse${most > 1 ? 's' : ''}`,
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

/** Returns the trimmed reply to the first email question that the run visits; '' without a reply (spec §7). */
export const participantEmail = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
  passed = visitedQuestions(questions, replies),
): string => {
  const first = passed.find(({ type }) => type === 'email')
  return first ? (replyPartsOf(replies, first)[0]?.trim() ?? '') : ''
}

/** Pattern of a phone field: at least six digits, with any other characters between them. */
export const PHONE_PATTERN = '(?:\\D*\\d){6,}\\D*'

/** Pattern of an email field: a domain with a dot, whose last part does not begin with a digit. */
export const EMAIL_PATTERN = '.+@.+[.。][^\\d.。][^.。]*'

/** Message for an address with an accent before the @. */
export const ACCENTED_EMAIL = 'Une adresse email n’a pas d’accent avant le @.'

/** Messages for replies whose format does not match the question type. */
export const WRONG_FORMAT: Partial<Record<QuestionType, string>> = {
  email: 'Saisissez une adresse email complète, par exemple nom@exemple.fr.',
  phone: 'Saisissez un numéro d’au moins six chiffres, par exemple 06 12 34 56 78.',
  number: 'Saisissez un nombre, par exemple 123.',
}

/** Message for an incomplete date. */
export const WRONG_DAY = 'Saisissez une date complète, par exemple 31/12/2026.'

/** Returns the progress of a run in whole percent, including the current page. */
export const progress = (page_index: number, page_count: number): number =>
  page_count === 0 ? 0 : Math.round(((page_index + 1) / page_count) * 100)
