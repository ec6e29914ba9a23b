import { trimText } from '#domain/common/text.ts'
import { CONTACT_ROLE_LABELS } from '#domain/questionnaire/contact-roles.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { contactDataOf } from '#domain/run/contact/contact.ts'
import { type ContactName, fullNameOf } from '#domain/run/contact/full-name.ts'
import { dimensionInsertions, formatPercent } from '#domain/run/dimensions.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { pointsRangeOf } from '#domain/run/reachable-totals.ts'
import { type Insertions, insertionKey, insertionsOf } from '#domain/run/rich-text.ts'
import { pointsOf } from '#domain/run/scoring.ts'

/** Title of a certificate whose creator wrote none. */
export const CERTIFICATE_TITLE = 'Attestation de réussite'
/** Text of a certificate whose creator wrote none. The text is also correct for a participant without a name. */
export const CERTIFICATE_TEXT =
  'Ce document atteste que le questionnaire a été réussi avec {{pourcentage}} des points, le {{date}}.'

/** Names that only the text of a certificate can insert: name, day and percent of the participant. */
export const CERTIFICATE_INSERTIONS = ['nom', 'date', 'pourcentage'] as const

/** Points of a run and their possible range on its path. */
type PointsInRange = { points: number; least: number; greatest: number }

/** Parts of a version that give the points of its runs. */
export type PointsSnapshot = Pick<Snapshot, 'questions' | 'quiz_mode'> & {
  quiz: Pick<Snapshot['quiz'], 'type'>
}

/** Version and replies of a run, with the name of an invited person. */
export type NamedRun = {
  snapshot: Snapshot
  replies: Replies
  /** Name in the invitation of the person; absent without an invitation. */
  invited?: ContactName | undefined
}

/** Returns the points of the questions on the path. Null if the quiz has no score or all replies give equal points. */
const pointsInRange = ({
  snapshot,
  replies,
}: Pick<NamedRun, 'replies'> & { snapshot: PointsSnapshot }): PointsInRange | null => {
  const { quiz, quiz_mode, questions } = snapshot
  if (quiz.type === 'sondage' || quiz_mode !== 'score') return null
  const sums = { points: 0, least: 0, greatest: 0 }
  for (const question of visitedQuestions(questions, replies)) {
    const { from, to } = pointsRangeOf(question)
    sums.points += pointsOf(question, replies)
    sums.least += from
    sums.greatest += to
  }
  return sums.least < sums.greatest ? sums : null
}

/**
 * Returns the percent of the possible points that a run reached, rounded down. Null if the quiz has no score or all
 * replies give equal points.
 */
export const certificatePercent = (snapshot: PointsSnapshot, replies: Replies): number | null => {
  const sums = pointsInRange({ snapshot, replies })
  if (!sums) return null
  const { points, least, greatest } = sums
  return Math.min(100, Math.max(0, Math.floor(((points - least) * 100) / (greatest - least))))
}

/** Returns true if a run reaches the percent of the certificate. The exact share counts: 49.5 % is below 50 %. */
export const earnsCertificate = (snapshot: Snapshot, replies: Replies): boolean => {
  const { certificate_percent = null } = snapshot.quiz
  const sums = certificate_percent === null ? null : pointsInRange({ snapshot, replies })
  if (!sums || certificate_percent === null) return false
  const { points, least, greatest } = sums
  return (points - least) * 100 >= certificate_percent * (greatest - least)
}

const NO_NAME: ContactName = { first_name: null, last_name: null }

/** Returns the name that a run gave, or else that of the invitation. */
const nameOf = ({ snapshot, replies, invited = NO_NAME }: NamedRun): ContactName => {
  const given = contactDataOf(visitedQuestions(snapshot.questions, replies), replies)
  return fullNameOf(given) === null ? invited : given
}

/** Returns the full name of the person, as a certificate prints it; null without a name. */
export const certificateName = (run: NamedRun): string | null => fullNameOf(nameOf(run))

/** Returns the title of a certificate. */
export const certificateTitle = ({ quiz }: Pick<Snapshot, 'quiz'>): string =>
  trimText(quiz.certificate_title ?? '') || CERTIFICATE_TITLE

/** Returns the name of the person or organisation that issues the certificates of a version; null if none is given. */
export const certificateIssuer = ({ quiz }: Pick<Snapshot, 'quiz'>): string | null =>
  trimText(quiz.certificate_issuer ?? '') || null

/** Run with the percent that its certificate prints. */
export type CertifiedRun = NamedRun & { result: { name: string } | null; percent: number }

/**
 * Returns the values that the text of a certificate inserts; `day` is in words. The short name of a question wins over
 * equal names of the certificate, such as « nom ».
 */
export const certificateInsertions = (
  { result, percent, ...run }: CertifiedRun,
  day: string,
): Insertions => {
  const { snapshot, replies } = run
  const values = new Map(
    insertionsOf(snapshot, replies, result, dimensionInsertions(snapshot, replies)),
  )
  const { first_name } = nameOf(run)
  const own: [string, string | null][] = [
    ['nom', certificateName(run)],
    ['date', day],
    ['pourcentage', formatPercent(percent)],
    [CONTACT_ROLE_LABELS.first_name, first_name],
  ]
  for (const [name, value] of own) {
    const key = insertionKey(name)
    if (!values.has(key)) values.set(key, value ?? '')
  }
  return values
}

/** Digits of a certificate's number (Crockford's base 32), without letters that look like a digit or another letter. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BITS_PER_DIGIT = 5
/** Length of a certificate's random number in bytes. With 80 bits, the number cannot be guessed. */
export const CERTIFICATE_NUMBER_BYTES = 10

/** Formats random bytes as a number in four groups, such as 7K3M-9XQ2-0V4T-HB8C. */
export const formatCertificateNumber = (bytes: Uint8Array): string => {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = (bits.match(/.{5}/g) ?? []).map((five) => DIGITS[Number.parseInt(five, 2)])
  return digits.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/**
 * Parses a typed number and returns its bytes; undefined if the text is not a number of a certificate. Case, groups and
 * look-alike letters do not matter.
 */
export const parseCertificateNumber = (typed: string): Uint8Array | undefined => {
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  if (plain.length !== (CERTIFICATE_NUMBER_BYTES * 8) / BITS_PER_DIGIT) return undefined
  const values = [...plain].map((digit) => DIGITS.indexOf(digit))
  if (values.includes(-1)) return undefined
  const bits = values.map((value) => value.toString(2).padStart(BITS_PER_DIGIT, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2))
}
