import type { QuestionType } from '#domain/common/vocabulary.ts'
import { groupGrids } from '#domain/questionnaire/grids/grids.ts'
import { imagesOf } from '#domain/questionnaire/images.ts'
import {
  groupIntoPages,
  hasWelcome,
  type Page,
  type PlacedItem,
} from '#domain/questionnaire/pages.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { canChooseSeveral } from '#domain/run/replies.ts'
import type { RichQuestion, RichSnapshot } from '#domain/run/rich-text.ts'
import { hasOwnWording } from '#domain/run/wording/page-wording.ts'

/** Parts of the player that the public page of a quiz contains, because a run of the quiz uses them. */
export type PageNeeds = {
  /** Marks, addresses or insertions in texts. */
  texts: boolean
  /** Scales, several choices and other options of questions. */
  options: boolean
  /** Addresses, phone numbers, numbers, days and consent. */
  formats: boolean
  /** Phone numbers, whose fields need `formats` too. */
  phones: boolean
  pictures: boolean
  welcome: boolean
  /** Conditional texts on the end page. */
  variants: boolean
  grids: boolean
  /** Own labels of buttons, or « tu ». */
  wording: boolean
  /** Pages that a tap on an answer can leave, if the quiz has this setting. */
  auto_advance: boolean
}

/** Returns the parts of the player that a run of a snapshot uses. */
export const pageNeedsOf = (snapshot: RichSnapshot): PageNeeds => {
  const { quiz, questions, text_variants = [] } = snapshot
  const pages = groupIntoPages(snapshot)
  return {
    texts: needsTexts(snapshot),
    options: questions.some(hasOptions),
    formats: questions.some(({ type }) => FORMATTED.includes(type)),
    phones: questions.some(({ type }) => type === 'phone'),
    pictures: imagesOf({ ...snapshot, quiz: { ...quiz, background_image_id: null } }).size > 0,
    welcome: hasWelcome(quiz),
    variants: text_variants.some(({ place }) => place !== 'mail'),
    wording: hasOwnWording(quiz),
    auto_advance: quiz.auto_advance === true && hasPageToAdvance(snapshot),
    grids: pages.some(({ items }) => groupGrids(items).some(({ kind }) => kind === 'grid')),
  }
}

/** Returns true if the fields of a page are one single choice without « Autre… », or one scale. */
const canAdvanceByTap = ({ items }: Page<SnapshotQuestion, PlacedItem>): boolean => {
  const [question, ...others] = items.flatMap((item) =>
    item.kind === 'question' ? item.question : [],
  )
  if (!question || others.length > 0) return false
  return (
    question.type === 'scale' ||
    (isChoice(question) && !canChooseSeveral(question) && !question.has_other)
  )
}

/** Returns true if a tap on an answer can leave a page of a questionnaire. */
export const hasPageToAdvance = (content: {
  questions: readonly SnapshotQuestion[]
  text_blocks: readonly PlacedItem[]
}): boolean => groupIntoPages(content).some(canAdvanceByTap)

/** Types whose field has a format. Consent is asked for with an address. */
const FORMATTED: QuestionType[] = ['email', 'phone', 'number', 'date']

/** Signs of an insertion or of an address in a text. */
const INSERTION_OR_ADDRESS = /\{\{|:\/\/|www\.|@/i

/** Returns true if a text has marks, an address or an insertion. */
const needsTexts = (snapshot: RichSnapshot): boolean => {
  const { quiz, questions, text_blocks, results, dimensions = [], text_variants = [] } = snapshot
  const texts = [
    quiz.welcome_text,
    quiz.end_text,
    ...text_blocks.map(({ content }) => content),
    ...results.map(({ description }) => description),
    ...questions.flatMap(({ help_text, explanation_text }) => [help_text, explanation_text]),
    ...text_variants.map(({ text }) => text),
    ...dimensions.flatMap(({ description, tiers }) => [
      description,
      ...tiers.map(({ text }) => text),
    ]),
  ]
  return texts.some(Array.isArray) || INSERTION_OR_ADDRESS.test(JSON.stringify(snapshot))
}

/** Returns true if a question has more than a text or a choice of one answer. */
const hasOptions = ({ type, answers, ...question }: RichQuestion): boolean =>
  type === 'scale' ||
  question.is_required === false ||
  (isChoice({ type }) && question.max_choices !== undefined) ||
  !!(question.help_text ?? question.help) ||
  question.has_other === true ||
  question.shuffles_answers === true ||
  answers.some(({ jump_to }) => typeof jump_to === 'number')
