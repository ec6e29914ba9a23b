import { isBlankText, shortenText } from '#domain/common/text.ts'
import type { QuizType } from '#domain/common/vocabulary.ts'
import { linkifyAddress, PAGE_INSERTION } from '#domain/participant-pages/page-insertion.ts'
import type { PublishCheckInput } from '#domain/publishing/insertable-names.ts'
import { endTextErrors } from '#domain/publishing/text-check.ts'
import type { QuizAccess } from '#domain/questionnaire/quiz.ts'
import { inResultOrder, type Snapshot } from '#domain/questionnaire/snapshot.ts'
import { textSize } from '#domain/questionnaire/text-size.ts'
import {
  type Block,
  blocksOf,
  fillInsertions,
  fillRichText,
  type Insertions,
  insertionKey,
  insertionsIn,
  plainText,
  type RichText,
} from '#domain/run/rich-text.ts'
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import {
  DESCRIPTION_INSERTION,
  mailInsertions,
  type ResultMailInput,
  roleInsertionNames,
} from './mail-insertions.ts'
import { blocksWithoutResult, type MailPart, mailedResults, resultParts } from './mail-result.ts'
import { sampleReplies } from './webhook-event.ts'

/** Words of a creator for the result mail. */
export type MailWords = { subject: string; text: string }
/** Result mail to participants with an address: the creator's words, and whether the result follows. */
export type QuizMail = MailWords & { shows_result: boolean }

/** Choices for notification mails to the creator. */
export const NOTICE_FREQUENCIES = ['never', 'each', 'daily'] as const
/** Choice for notification mails to the creator. */
export type NoticeFrequency = (typeof NOTICE_FREQUENCIES)[number]

/** Maximum lengths in characters. */
export const MAIL_LIMITS = { subject: 200, text: 5_000 } as const
/** Maximum `textSize` of the text of a mail, about a hundred insertions. */
const MAX_MAIL_SIZE = 50_000

const DEFAULTS: Record<QuizType, MailWords> = {
  quiz: {
    subject: 'Votre résultat : {{résultat}}',
    text: 'Bonjour,\n\nMerci d’avoir répondu à ce quiz. Votre résultat : **{{résultat}}**.\n\nÀ bientôt !',
  },
  sondage: {
    subject: 'Merci pour votre participation',
    text: 'Bonjour,\n\nMerci d’avoir pris le temps de répondre à nos questions.\n\nÀ bientôt !',
  },
}

/** Returns the default words of the result mail of a quiz, in its form of address. */
export const defaultMail = (quiz: { type: QuizType } & WordingSettings): MailWords => {
  const { subject, text } = DEFAULTS[quiz.type]
  return { subject: wordingOf(quiz, subject), text: wordingOf(quiz, text) }
}

/**
 * Returns French errors by field for insertions and links that are not allowed or too many. A subject cannot insert the
 * page of the participant, which is an address, nor the description of the result.
 */
export const mailErrors = (
  { subject, text }: MailWords,
  draft: PublishCheckInput & { quiz: Partial<Pick<QuizAccess, 'keeps_page'>> },
): { field: keyof MailWords; message: string }[] => {
  const more_names = roleInsertionNames(draft.questions.filter(({ text }) => !isBlankText(text)))
  const ofSubject = endTextErrors(
    { text: subject, name: 'L’objet', is_plain: true, more_names },
    draft,
  )
  const text_names = [
    ...more_names,
    ...(draft.quiz.type === 'quiz' ? [DESCRIPTION_INSERTION] : []),
    ...(draft.quiz.keeps_page ? [PAGE_INSERTION] : []),
  ]
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

/** Returns true if a paragraph is the description of the result alone. */
const isDescription = (block: Block): boolean => {
  if ('list' in block || block.length !== 1 || typeof block[0] !== 'string') return false
  const [, name] = /^\s*\{\{([^{}]*)\}\}\s*$/.exec(block[0]) ?? []
  return name !== undefined && insertionKey(name) === DESCRIPTION_INSERTION
}

/** Maximum length of a description inside a sentence, in characters, because a text may insert it many times. */
const MAX_INLINE_DESCRIPTION = 500

/** Returns the words of a creator. The first paragraph with the description alone becomes the formatted description. */
const fillWords = (words: RichText, description: RichText, values: Insertions): RichText => {
  const blocks = blocksOf(words)
  const place = blocks.findIndex(isDescription)
  if (place === -1) return fillRichText(words, values)
  const filled = (some: Block[]): Block[] => blocksOf(fillRichText(some, values))
  return [
    ...filled(blocks.slice(0, place)),
    ...blocksOf(description),
    ...filled(blocks.slice(place + 1)),
  ]
}

/**
 * Returns subject, body and parts of a result mail. The creator's words come first. The result follows in `parts` if the
 * mail shows it; otherwise the conditional texts and dimensions of the run follow in the body. `read` parses the
 * formatting of a text. Names that the version lacks become blank.
 */
export const composeMail = (
  { subject, text, shows_result = false }: MailWords & { shows_result?: boolean },
  run: ResultMailInput,
  read: (text: string) => RichText,
): { subject: string; body: RichText; parts: MailPart[] } => {
  const { page_url } = run
  const own = mailInsertions(run)
  const [result] = mailedResults(run)
  const description = fillRichText(result?.description ? read(result.description) : '', own)
  const values = new Map(own)
  if (!values.has(DESCRIPTION_INSERTION))
    values.set(DESCRIPTION_INSERTION, shortenText(plainText(description), MAX_INLINE_DESCRIPTION))
  const names = [...insertionsIn(subject), ...insertionsIn(text)].map(insertionKey)
  const filled = new Map(values)
  for (const key of names) if (!filled.has(key)) filled.set(key, '')
  const isOwnName = own.has(DESCRIPTION_INSERTION)
  const words = isOwnName
    ? fillRichText(read(text), filled)
    : fillWords(read(text), description, filled)
  const body = page_url ? linkifyAddress(words, page_url) : words
  const writing = { values: own, read }
  const below = shows_result ? [] : blocksWithoutResult(run, writing)
  const has_description = isOwnName || !names.includes(DESCRIPTION_INSERTION)
  return {
    subject: fillInsertions(subject, filled),
    body: below.length > 0 ? [...blocksOf(body), ...below] : body,
    parts: shows_result ? resultParts(run, writing, has_description) : [],
  }
}
