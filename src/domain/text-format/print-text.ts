import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import { modeAfterEdit } from '#domain/questionnaire/mode.ts'
import { groupIntoPages, type Item } from '#domain/questionnaire/pages.ts'
import {
  type Draft,
  type ImageFields,
  isChoice,
  type Question,
  type Result,
} from '#domain/questionnaire/quiz.ts'
import { inResultOrder } from '#domain/questionnaire/snapshot.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import { printAnswer, refNames } from './answers.ts'
import { conditionPrinter, VARIANT_KEYS } from './conditional-texts.ts'
import { DIMENSION_KEYS, DIMENSION_TIER_KEYS, printTier } from './dimensions.ts'
import type { Keys } from './key.ts'
import {
  DIMENSIONS_KEYS,
  END_KEYS,
  type HeadRow,
  headKeys,
  LOOK_KEYS,
  RESULT_KEYS,
  WELCOME_KEYS,
} from './keys.ts'
import { escapeText, isQuotable } from './lines.ts'
import { QUESTION_KEYS } from './question-keys.ts'
import { namedRefs, questionsByPage } from './references.ts'

/**
 * Prints a draft in the text format (docs/text-format.md); `parseText` returns an equal draft. Ids, image data, tools
 * and responses are omitted, and so are options of other question types and unchecked links.
 */
export const printText = (
  { quiz, quiz_mode, results, questions, text_blocks, dimensions, text_variants }: Draft,
  time_zone = DEFAULT_TIME_ZONE,
): string => {
  const head: HeadRow = { ...quiz, quiz_mode: modeAfterEdit(quiz_mode, questions) }
  const ordered = inResultOrder(results)
  const names = refNames(ordered)
  const dimensionRefs = namedRefs(dimensions)
  const asked = questionsByPage({ questions, text_blocks })
  const printer = conditionPrinter({ results: ordered, questions: asked, dimensions })
  const welcome = { image_id: quiz.welcome_image_id, image_alt: quiz.welcome_image_alt }
  const parts = [
    [`# ${escapeText(quiz.name, 'value')}`, ...settings(head, headKeys(time_zone))],
    section('Accueil', [...picture(welcome), ...settings(head, WELCOME_KEYS)]),
    section('Apparence', settings(head, LOOK_KEYS)),
    ...list('## Résultats', ordered.map(printResult)),
    ...headedList(
      ['## Dimensions', ...settings(head, DIMENSIONS_KEYS)],
      dimensions.map(printDimension),
    ),
    ...groupIntoPages({ questions, text_blocks }).flatMap(({ number, items }) =>
      list(
        `## Page ${number}`,
        items.map((item) =>
          printItem(item, { names, dimensionRefs, tie_question_id: quiz.tie_question_id }),
        ),
      ),
    ),
    ...list(
      '## Textes conditionnels',
      text_variants.map((variant) => printVariant(variant, printer)),
    ),
    section('Fin', settings(head, END_KEYS)),
  ]
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

const section = (name: string, lines: string[]): string[] =>
  lines.length > 0 ? [`## ${name}`, ...lines] : []
const list = (heading: string, parts: string[][]): string[][] =>
  parts.length > 0 ? [[heading], ...parts] : []

/** Returns the heading with its settings, then the parts; nothing if there are neither settings nor parts. */
const headedList = (heading: string[], parts: string[][]): string[][] =>
  heading.length > 1 || parts.length > 0 ? [heading, ...parts] : []

const printDimension = (dimension: Dimension): string[] => [
  headed(dimension.name),
  ...settings(dimension, DIMENSION_KEYS),
  ...dimension.tiers.flatMap((tier) => [printTier(tier), ...settings(tier, DIMENSION_TIER_KEYS)]),
]

const printVariant = (
  variant: TextVariant,
  { heading, condition }: ReturnType<typeof conditionPrinter>,
): string[] => [
  `### ${heading(variant)}`,
  ...variant.conditions.map((row) => `- ${condition(row)}`),
  ...settings(variant, VARIANT_KEYS),
]

const printResult = (result: Result): string[] => [
  headed(result.name),
  ...picture(result),
  ...settings(result, RESULT_KEYS),
]

const headed = (text: string): string => `### ${escapeText(text, 'value')}`.trimEnd()

/** Context of a question: references to results and the tie question. */
type QuestionContext = {
  names: ReadonlyMap<string, string>
  dimensionRefs: ReadonlyMap<string, string>
  tie_question_id: string | null
}

const printItem = (item: Item, context: QuestionContext): string[] =>
  item.kind === 'question'
    ? printQuestion(item.question, context)
    : printLongText('Texte', item.text_block.content)

const printQuestion = (
  question: Question,
  { names, dimensionRefs, tie_question_id }: QuestionContext,
): string[] => {
  const settles_ties = question.id === tie_question_id
  const dimension = dimensionRefs.get(question.dimension_id ?? '') ?? null
  const answers = isChoice(question)
    ? question.answers.toSorted((a, b) => a.position - b.position)
    : []
  return [
    headed(question.text),
    ...picture(question),
    ...settings({ ...question, settles_ties, dimension }, QUESTION_KEYS),
    ...answers.flatMap((answer) => [
      `- ${printAnswer(answer, names)}`.trimEnd(),
      ...picture(answer).map((line) => `  ${line}`),
    ]),
  ]
}

const picture = ({ image_id, image_alt }: ImageFields): string[] =>
  image_id === null
    ? []
    : [`![${image_alt === null ? '?' : escapeText(image_alt, 'alt')}](${image_id})`]

const settings = <Row>(row: Row, keys: Keys<Row>): string[] => {
  const lines: string[] = []
  for (const { key, kind, write, only } of keys.values()) {
    const value = only && !only.holds(row) ? null : write(row)
    if (value === null) continue
    // A quote right below a key without a value, or below its quote, would belong to that key.
    if (kind === 'long' && /^>| :$/.test(lines.at(-1) ?? '')) lines.push('')
    if (kind === 'long') lines.push(...printLongText(key, value))
    else if (kind === 'text') lines.push(...printShortText(key, value))
    else lines.push(`${key} : ${value}`)
  }
  return lines
}

/** Prints a text on the line of its key if it fits there, else below it. */
const printShortText = (key: string, text: string): string[] =>
  /[\n\\]/.test(text) && isQuotable(text)
    ? [`${key} :`, ...quote(text)]
    : [`${key} : ${escapeText(text, 'value')}`.trimEnd()]

const printLongText = (key: string, text: string): string[] =>
  isQuotable(text) ? quote(text) : [`${key} : ${escapeText(text, 'value')}`]

const quote = (text: string): string[] =>
  text.split('\n').map((line) => (line === '' ? '>' : `> ${line}`))
