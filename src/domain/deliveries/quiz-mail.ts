import { isBlankText } from '#domain/common/text.ts'
import type { QuizType } from '#domain/common/vocabulary.ts'
import { linkifyAddress, PAGE_INSERTION } from '#domain/participant-pages/page-insertion.ts'
import type { PublishCheckInput } from '#domain/publishing/insertable-names.ts'
import { endTextErrors } from '#domain/publishing/text-check.ts'
import { linkButtonOf } from '#domain/questionnaire/pages.ts'
import type { QuizAccess } from '#domain/questionnaire/quiz.ts'
import { inResultOrder, type Snapshot } from '#domain/questionnaire/snapshot.ts'
import { textSize } from '#domain/questionnaire/text-size.ts'
import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import {
  type Block,
  blocksOf,
  fillAddress,
  fillInsertions,
  fillRichText,
  type Insertions,
  insertionKey,
  insertionsIn,
  type RichText,
} from '#domain/run/rich-text.ts'
import { finishedRunOf, shownTexts } from '#domain/run/text-variants.ts'
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import { mailDimensions } from './mail-dimensions.ts'
import { mailInsertions, type ResultMailInput, roleInsertionNames } from './mail-insertions.ts'
import { sampleReplies } from './webhook-event.ts'

/** Result mail to participants with an address, in the creator's words. */
export type QuizMail = { subject: string; text: string }

/** Choices for notification mails to the creator. */
export const NOTICE_FREQUENCIES = ['never', 'each', 'daily'] as const
/** Choice for notification mails to the creator. */
export type NoticeFrequency = (typeof NOTICE_FREQUENCIES)[number]

/** Maximum lengths in characters. */
export const MAIL_LIMITS = { subject: 200, text: 5_000 } as const
/** Maximum `textSize` of the text of a mail, about a hundred insertions. */
const MAX_MAIL_SIZE = 50_000

const DEFAULTS: Record<QuizType, QuizMail> = {
  quiz: {
    subject: 'Votre résultat : {{résultat}}',
    text: 'Bonjour,\n\nMerci d’avoir répondu à ce quiz. Votre résultat : **{{résultat}}**.\n\nÀ bientôt !',
  },
  sondage: {
    subject: 'Merci pour votre participation',
    text: 'Bonjour,\n\nMerci d’avoir pris le temps de répondre à nos questions.\n\nÀ bientôt !',
  },
}

/** Returns the default result mail of a quiz, in its form of address. */
export const defaultMail = (quiz: { type: QuizType } & WordingSettings): QuizMail => {
  const { subject, text } = DEFAULTS[quiz.type]
  return { subject: wordingOf(quiz, subject), text: wordingOf(quiz, text) }
}

/**
 * Returns French errors by field for insertions and links that are not allowed or too many. The page of the participant
 * is an address, so that a subject cannot insert it.
 */
export const mailErrors = (
  { subject, text }: QuizMail,
  draft: PublishCheckInput & { quiz: Partial<Pick<QuizAccess, 'keeps_page'>> },
): { field: keyof QuizMail; message: string }[] => {
  const more_names = roleInsertionNames(draft.questions.filter(({ text }) => !isBlankText(text)))
  const ofSubject = endTextErrors(
    { text: subject, name: 'L’objet', is_plain: true, more_names },
    draft,
  )
  const text_names = [...more_names, ...(draft.quiz.keeps_page ? [PAGE_INSERTION] : [])]
  const ofText = endTextErrors({ text, name: 'Le texte', more_names: text_names }, draft)
  if (textSize(text) > MAX_MAIL_SIZE)
    ofText.push('Le texte a trop d’insertions ou de mises en forme : enlevez-en une partie')
  return [
    ...ofSubject.map((message) => ({ field: 'subject' as const, message })),
    ...ofText.map((message) => ({ field: 'text' as const, message })),
  ]
}

/** Returns the sample run of previews and test mails, with the first answer to each question. */
export const sampleRun = (
  snapshot: Snapshot,
  email: string,
  page_url: string | null = null,
): ResultMailInput => {
  const own = snapshot.questions.filter(({ type }) => type === 'email').map(({ id }) => [id, email])
  const replies = { ...sampleReplies(snapshot), ...Object.fromEntries(own) }
  const result = inResultOrder(snapshot.results)[0] ?? null
  return { snapshot, replies, result, email, page_url }
}

/**
 * Returns subject and body of a result mail. The creator's text comes first, then the conditional texts and the
 * dimensions of the run, as on the result page. `read` parses the formatting of a text. Names that the version lacks
 * become blank.
 */
export const composeMail = (
  { subject, text }: QuizMail,
  run: ResultMailInput,
  read: (text: string) => RichText,
): { subject: string; body: RichText } => {
  const values = mailInsertions(run)
  const filled = new Map(values)
  for (const name of [...insertionsIn(subject), ...insertionsIn(text)]) {
    const key = insertionKey(name)
    if (!filled.has(key)) filled.set(key, '')
  }
  const { snapshot, replies, result, page_url } = run
  const variants = shownTexts(snapshot, 'mail', finishedRunOf(snapshot, replies, result))
  const below = [
    ...variants.flatMap((variant) => mailBlocksOf(variant, values, read)),
    ...mailDimensions(run, values, read),
  ]
  const written = fillRichText(read(text), filled)
  const body = page_url ? linkifyAddress(written, page_url) : written
  return {
    subject: fillInsertions(subject, filled),
    body: below.length > 0 ? [...blocksOf(body), ...below] : body,
  }
}

/** Returns a conditional text as paragraphs of a mail. Its button is a link in a paragraph of its own. */
const mailBlocksOf = (
  { text, button_text, button_url }: SnapshotTextVariant,
  values: Insertions,
  read: (text: string) => RichText,
): Block[] => {
  const button = linkButtonOf(button_text, button_url)
  return [
    ...blocksOf(fillRichText(read(text), values)),
    ...(button ? [[{ a: [button.text], href: fillAddress(button.address, values) }]] : []),
  ]
}
