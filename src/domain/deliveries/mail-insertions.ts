import { isMailable, mailboxKeyOf } from '#domain/common/addresses.ts'
import { cutText } from '#domain/common/text.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { type Insertions, insertionKey, insertionsOf } from '#domain/run/rich-text.ts'

/** Run with the data of its result mail. */
export type ResultMailInput = {
  snapshot: Snapshot
  replies: Replies
  result: { name: string } | null
  /** Address of the recipient. */
  email: string
}

/**
 * Returns the values that a result mail inserts. Visitors may enter another person's address, so that their texts are
 * shortened and must not contain links.
 */
export const mailInsertions = ({
  snapshot,
  replies,
  result,
  email,
}: ResultMailInput): Insertions => {
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
