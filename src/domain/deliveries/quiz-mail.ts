import { isMailable, mailboxKeyOf } from '#domain/common/addresses.ts'
import { cutText } from '#domain/common/text.ts'
import { fromLocalTime, localDay } from '#domain/common/time-zone.ts'
import type { QuizType } from '#domain/common/vocabulary.ts'
import { endTextErrors, type PublishCheckInput } from '#domain/publishing/text-check.ts'
import { textSize } from '#domain/questionnaire/questionnaire-size.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import {
  inResultOrder,
  type Snapshot,
  type SnapshotQuestion,
} from '#domain/questionnaire/snapshot.ts'
import {
  fillInsertions,
  fillRichText,
  type Insertions,
  insertionKey,
  insertionsIn,
  insertionsOf,
  type RichText,
} from '#domain/run/rich-text.ts'
import { sampleReplies } from './webhook-event.ts'

/** Participants of one quiz since the last daily mail. */
export type DigestedQuiz = {
  quiz_id: string
  name: string
  nb_participants: number
  /** The most frequent result first; empty for a sondage. */
  results: { name: string; nb_participants: number }[]
}

/** Local time of the daily mail. */
const DAILY_MAIL_TIME = '08:00'
/** Wait after that time, so that earlier participants are stored. */
const GRACE_MS = 300_000
const DAY_MS = 86_400_000

/** Returns the latest day in a time zone whose mail is due, and the end of the period that the mail covers. */
export const dueDigest = (now: Date, time_zone: string): { day: string; until: string } => {
  const momentOf = (time: number) => {
    const day = localDay(new Date(time), time_zone)
    return { day, until: fromLocalTime(`${day}T${DAILY_MAIL_TIME}`, time_zone) }
  }
  const today = momentOf(now.getTime())
  if (now.getTime() >= Date.parse(today.until) + GRACE_MS) return today
  // Half a day before this morning is yesterday, also on days when clocks change.
  return momentOf(Date.parse(today.until) - DAY_MS / 2)
}

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

/** Returns the default mail, until the creator writes another. */
export const defaultMail = (type: QuizType): QuizMail => DEFAULTS[type]

/** Returns French sentences by field about insertions and links that are impossible or too many. */
export const mailErrors = (
  { subject, text }: QuizMail,
  draft: PublishCheckInput,
): { field: keyof QuizMail; message: string }[] => [
  ...endTextErrors({ text: subject, name: 'L’objet', is_plain: true }, draft).map((message) => ({
    field: 'subject' as const,
    message,
  })),
  ...endTextErrors({ text, name: 'Le texte' }, draft).map((message) => ({
    field: 'text' as const,
    message,
  })),
  ...(textSize(text) > MAX_MAIL_SIZE
    ? [
        {
          field: 'text' as const,
          message: 'Le texte a trop d’insertions ou de mises en forme : enlevez-en une partie',
        },
      ]
    : []),
]

/** Returns the sample run of previews and test mails, with the first answer to each question. */
export const sampleRun = (snapshot: Snapshot, email: string): ResultMailInput => {
  const own = snapshot.questions.filter(({ type }) => type === 'email').map(({ id }) => [id, email])
  const replies = { ...sampleReplies(snapshot), ...Object.fromEntries(own) }
  return { snapshot, replies, result: inResultOrder(snapshot.results)[0] ?? null, email }
}

/** Run with the data of its result mail. */
export type ResultMailInput = {
  snapshot: Snapshot
  replies: Replies
  result: { name: string } | null
  /** Address of the recipient. */
  email: string
}

/**
 * Returns subject and body of a result mail; `read` parses the formatting of the text. Names that the version lacks
 * become blank.
 */
export const composeMail = (
  { subject, text }: QuizMail,
  run: ResultMailInput,
  read: (text: string) => RichText,
): { subject: string; body: RichText } => {
  const values = mailValues(run)
  const filled = new Map(values)
  for (const name of [...insertionsIn(subject), ...insertionsIn(text)]) {
    const key = insertionKey(name)
    if (!filled.has(key)) filled.set(key, '')
  }
  return { subject: fillInsertions(subject, filled), body: fillRichText(read(text), filled) }
}

/**
 * Returns the inserted values of a mail. Visitors may enter another person's address, so that their texts are
 * shortened and must not contain links.
 */
const mailValues = ({ snapshot, replies, result, email }: ResultMailInput): Insertions => {
  const values = new Map(insertionsOf(snapshot, replies, result))
  for (const question of snapshot.questions) {
    const key = insertionKey(question.label ?? '')
    const value = values.get(key)
    if (value === undefined || !isTyped(question)) continue
    const isAddress = question.type === 'email' && isMailable(value)
    const isOwn = isAddress && mailboxKeyOf(value) === mailboxKeyOf(email)
    values.set(key, isOwn ? value : neutralizeLinks(value))
  }
  return values
}

const isTyped = ({ type, has_other }: SnapshotQuestion): boolean =>
  type === 'multiple_choice' ? has_other === true : type !== 'scale' && type !== 'date'

const MAX_TYPED_LENGTH = 100
/** Characters that mail programs accept in links, with similar Unicode signs. */
const JOINTS = /[.:/\\@\u2024\u3002\uff0e\uff0f\uff1a\uff20\uff61\ufe52\ufe55\ufe6b]+/gu

/**
 * Word that a mail program may turn into a link. Such a word has an @, a backslash, two slashes, a scheme, or a dot
 * before two characters. Initials (J.-P.) and alternatives (A/B) do not match.
 */
const LINKABLE =
  /[@\uff20\ufe6b\\]|[/\uff0f]{2}|[\p{L}\d][:\uff1a\ufe55]+[^\s:]|[.\u2024\u3002\uff0e\uff61\ufe52][\p{L}\d][\p{L}\p{M}\d-]/u

/** Returns typed words on one line, shortened. Words are changed so that no mail program makes links of them. */
export const neutralizeLinks = (typed: string): string => {
  const words = typed.toWellFormed().trim().split(/\s+/)
  const apart = words
    .map((word) => (LINKABLE.test(word) ? splitLinkableWord(word) : word))
    .join(' ')
  return apart.length > MAX_TYPED_LENGTH ? `${cutText(apart, MAX_TYPED_LENGTH)}…` : apart
}

/** Replaces dots, slashes, colons and @ in a word by spaces, except at its end and between two digits. */
const splitLinkableWord = (word: string): string =>
  word.replace(JOINTS, (joint, at: number) => {
    const [before = ' ', after = ' '] = [word[at - 1], word[at + joint.length]]
    if (after === ' ' || (joint.length === 1 && /\d/.test(before) && /\d/.test(after))) return joint
    return ' '
  })
