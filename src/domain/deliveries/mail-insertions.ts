import { isMailable, mailboxKeyOf } from '#domain/common/addresses.ts'
import { isLinkable } from '#domain/common/linkable-words.ts'
import { cutText, trimText } from '#domain/common/text.ts'
import { CONTACT_ROLES, type ContactRole } from '#domain/common/vocabulary.ts'
import { PAGE_INSERTION } from '#domain/participant-pages/page-insertion.ts'
import { CONTACT_ROLE_LABELS, contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import { dimensionInsertionNames } from '#domain/questionnaire/dimensions.ts'
import { isSondage, type Question, type Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { contactDataOf } from '#domain/run/contact/contact.ts'
import { dimensionInsertions } from '#domain/run/dimensions.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import {
  type Insertions,
  insertionKey,
  insertionsOf,
  RESULT_INSERTION,
  SCORE_INSERTION,
} from '#domain/run/rich-text.ts'

/** Run with the data of its result mail. */
export type ResultMailInput = {
  snapshot: Snapshot
  replies: Replies
  result: { id: string; name: string } | null
  /** Address of the recipient. */
  email: string
  /** Address of the page of the participant; null or absent unless the quiz keeps such pages. */
  page_url?: string | null
}

/** Returns the name by which a mail inserts a role. */
const insertionNameOf = (role: ContactRole): string => CONTACT_ROLE_LABELS[role].toLowerCase()

/** Returns the names by which a mail inserts the roles of these questions, such as `prénom`. */
export const roleInsertionNames = (
  questions: readonly (Pick<Question, 'type'> & Partial<Pick<Question, 'contact_role'>>)[],
): string[] =>
  CONTACT_ROLES.filter((role) =>
    questions.some((question) => contactRoleOf(question) === role),
  ).map(insertionNameOf)

/**
 * Returns the names that a result mail can insert: result, score, dimensions, short names and contact data. Contact data is left
 * out if a short name has the same name. `keeps_page` adds the page of the participant.
 */
export const mailInsertionNames = (
  { quiz, quiz_mode, questions, dimensions = [] }: Snapshot,
  keeps_page = false,
): string[] => {
  const labels = questions.flatMap(({ label }) => trimText(label ?? '') || [])
  const keys = new Set(labels.map(insertionKey))
  const more = [...roleInsertionNames(questions), ...(keeps_page ? [PAGE_INSERTION] : [])]
  const names = [...labels, ...more.filter((name) => !keys.has(name))]
  if (isSondage(quiz)) return names
  if (quiz_mode !== 'score') return [RESULT_INSERTION, ...names]
  return [RESULT_INSERTION, SCORE_INSERTION, ...dimensionInsertionNames(dimensions), ...names]
}

/** Reserved name of the description of the result, which only the text of a result mail can insert. */
export const DESCRIPTION_INSERTION = 'description du résultat'

/** Returns the names that the text of a result mail can insert: those of its subject, and the description of the result. */
export const textInsertionNames = (snapshot: Snapshot, keeps_page = false): string[] => {
  const [result, ...names] = mailInsertionNames(snapshot, keeps_page)
  if (
    result !== RESULT_INSERTION ||
    names.some((name) => insertionKey(name) === DESCRIPTION_INSERTION)
  )
    return mailInsertionNames(snapshot, keeps_page)
  return [result, DESCRIPTION_INSERTION, ...names]
}

/**
 * Returns the values that a result mail inserts. A short name that names contact data wins over the role of that name.
 * Visitors may enter another person's address, so that their texts are shortened and must not contain links.
 */
export const mailInsertions = ({
  snapshot,
  replies,
  result,
  email,
  page_url,
}: ResultMailInput): Insertions => {
  const values = new Map(
    insertionsOf(snapshot, replies, result, dimensionInsertions(snapshot, replies)),
  )
  for (const question of snapshot.questions) {
    const key = insertionKey(question.label ?? '')
    const value = values.get(key)
    if (value === undefined || !isTyped(question)) continue
    const isAddress = question.type === 'email' && isMailable(value)
    const isOwn = isAddress && mailboxKeyOf(value) === mailboxKeyOf(email)
    values.set(key, isOwn ? value : neutralizeLinks(value))
  }
  const contact = contactDataOf(visitedQuestions(snapshot.questions, replies), replies)
  const insertion_names = roleInsertionNames(snapshot.questions)
  for (const role of CONTACT_ROLES) {
    const name = insertionNameOf(role)
    if (insertion_names.includes(name) && !values.has(name))
      values.set(name, neutralizeLinks(contact[role] ?? ''))
  }
  if (page_url && !values.has(PAGE_INSERTION)) values.set(PAGE_INSERTION, page_url)
  return values
}

const isTyped = ({ type, has_other }: SnapshotQuestion): boolean =>
  type === 'multiple_choice' ? has_other === true : type !== 'scale' && type !== 'date'

const MAX_TYPED_LENGTH = 100
/** Characters that mail programs accept in links, with similar Unicode signs. */
const JOINTS = /[.:/\\@\u2024\u3002\uff0e\uff0f\uff1a\uff20\uff61\ufe52\ufe55\ufe6b]+/gu

/** Returns typed words on one line, shortened. Words are changed so that no mail program makes links of them. */
export const neutralizeLinks = (typed: string): string => {
  const words = typed.toWellFormed().trim().split(/\s+/)
  const apart = words.map((word) => (isLinkable(word) ? splitLinkableWord(word) : word)).join(' ')
  return apart.length > MAX_TYPED_LENGTH ? `${cutText(apart, MAX_TYPED_LENGTH)}…` : apart
}

/** Replaces dots, slashes, colons and @ in a word by spaces, except at its end and between two digits. */
const splitLinkableWord = (word: string): string =>
  word.replace(JOINTS, (joint, at: number) => {
    const [before = ' ', after = ' '] = [word[at - 1], word[at + joint.length]]
    if (after === ' ' || (joint.length === 1 && /\d/.test(before) && /\d/.test(after))) return joint
    return ' '
  })
