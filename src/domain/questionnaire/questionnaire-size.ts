import { shortenText } from '#domain/common/text.ts'
import { textSignsSize, textSize } from './text-size.ts'

/**
 * Largest size of a whole questionnaire, in bytes of its page (docs/limits.md). A page has each text twice, as data and
 * as markup, so that the largest page weighs less than 2 MiB.
 */
export const MAX_QUESTIONNAIRE_SIZE = 900_000

/** Bytes that each part adds to a page in addition to its texts: the larger of its data and its markup. */
const PART_BYTES = {
  question: 500,
  scale: 1_700,
  /** Text field of « Autre… ». */
  other_field: 650,
  answer: 190,
  link: 100,
  text_block: 110,
  result: 300,
  dimension: 300,
  tier: 150,
  text_variant: 400,
  picture: 720,
}

const sum = <Row>(rows: readonly Row[], sizeOf: (row: Row) => number): number =>
  rows.reduce((total, row) => total + sizeOf(row), 0)

/** Returns the texts of a row, except ids and dates, which PART_BYTES includes. */
const textsOf = (row: object): string[] =>
  Object.entries(row).flatMap(([name, value]) =>
    typeof value === 'string' && !/(?:^|_)id$|_at$/.test(name) ? value : [],
  )
const textsSize = (row: object): number => sum(textsOf(row), textSize)

type SizedRow = { image_id?: string | null | undefined }
type SizedAnswer = SizedRow & { associations: readonly object[] }
type SizedQuestion = SizedRow & {
  text: string
  type: string
  has_other?: boolean | undefined
  answers: readonly SizedAnswer[]
}
type SizedBlock = { content: string }
type SizedResult = SizedRow & { name: string }
type SizedDimension = { name: string; tiers: readonly object[] }
type SizedVariant = { text: string }

/** A draft, or a frozen version, whose rows omit default values. */
export type SizedDraft = {
  quiz: object
  questions: readonly SizedQuestion[]
  text_blocks: readonly SizedBlock[]
  results: readonly SizedResult[]
  dimensions?: readonly SizedDimension[] | undefined
  text_variants?: readonly SizedVariant[] | undefined
}

const pictureSize = ({ image_id }: SizedRow): number => (image_id ? PART_BYTES.picture : 0)

/** Caches the size of each row. Rows are immutable, so that an edit measures only the rows that it replaces. */
const cacheSizeOf = <Row extends object>(measure: (row: Row) => number): ((row: Row) => number) => {
  const known = new WeakMap<Row, number>()
  return (row) => {
    const size = known.get(row) ?? measure(row)
    known.set(row, size)
    return size
  }
}

const answerSize = cacheSizeOf(
  (answer: SizedAnswer) => PART_BYTES.answer + pictureSize(answer) + textsSize(answer),
)
const ownQuestionSize = cacheSizeOf(
  (question: SizedQuestion) =>
    (question.type === 'scale' ? PART_BYTES.scale : PART_BYTES.question) +
    (question.has_other ? PART_BYTES.other_field : 0) +
    pictureSize(question) +
    textsSize(question),
)
const blockSize = cacheSizeOf((block: SizedBlock) => PART_BYTES.text_block + textsSize(block))
const resultSize = cacheSizeOf(
  (result: SizedResult) => PART_BYTES.result + pictureSize(result) + textsSize(result),
)

const dimensionSize = cacheSizeOf(
  (dimension: SizedDimension) =>
    PART_BYTES.dimension +
    textsSize(dimension) +
    sum(dimension.tiers, (tier) => PART_BYTES.tier + textsSize(tier)),
)
const variantSize = cacheSizeOf(
  (variant: SizedVariant) => PART_BYTES.text_variant + textsSize(variant),
)

const answersSize = cacheSizeOf(({ answers }: SizedQuestion) => sum(answers, answerSize))
const countLinks = ({ answers }: SizedQuestion): number =>
  sum(answers, ({ associations }) => associations.length)
const linksSize = (question: SizedQuestion): number => countLinks(question) * PART_BYTES.link

/** Returns the sizes of the parts of a draft, in bytes of its page. */
export const partSizes = ({
  quiz,
  questions,
  text_blocks,
  results,
  dimensions = [],
  text_variants = [],
}: SizedDraft) => ({
  questions: sum(questions, ownQuestionSize),
  answers: sum(questions, answersSize),
  links: sum(questions, linksSize),
  text_blocks: sum(text_blocks, blockSize),
  results: sum(results, resultSize),
  dimensions: sum(dimensions, dimensionSize),
  text_variants: sum(text_variants, variantSize),
  page: textsSize(quiz),
})
type Part = keyof ReturnType<typeof partSizes>

/** Returns the size of a whole draft, in bytes of its page; a draft above MAX_QUESTIONNAIRE_SIZE is refused. */
export const questionnaireSize = (draft: SizedDraft): number =>
  sum(Object.values(partSizes(draft)), (size) => size)

const formatCount = (count: number): string => count.toLocaleString('fr-FR')

const PART_NAMES: Record<Part, (draft: SizedDraft) => string> = {
  questions: ({ questions }) => `le texte des questions (${formatCount(questions.length)})`,
  answers: ({ questions }) =>
    `les réponses (${formatCount(sum(questions, ({ answers }) => answers.length))})`,
  links: ({ questions }) =>
    `les liens entre réponses et résultats (${formatCount(sum(questions, countLinks))})`,
  text_blocks: ({ text_blocks }) => `les blocs de texte (${formatCount(text_blocks.length)})`,
  results: ({ results }) => `les résultats (${formatCount(results.length)})`,
  dimensions: ({ dimensions = [] }) => `les dimensions (${formatCount(dimensions.length)})`,
  text_variants: ({ text_variants = [] }) =>
    `les textes conditionnels (${formatCount(text_variants.length)})`,
  page: () => 'l’accueil et la fin',
}
/** Least share of the size for which the refusal names formatting signs as a cause. */
const MIN_NAMED_SIGNS_SHARE = 0.4

/** Part with the kind and the text that name it. */
type SizedPart = { kind: string; text: string; size: number }

const heavier = (a: SizedPart, b: SizedPart): SizedPart => (b.size > a.size ? b : a)

const EXCERPT_LETTERS = 40
const quote = ({ kind, text }: SizedPart): string =>
  `${kind} « ${shortenText(text.trim(), EXCERPT_LETTERS)} »`

/** Names the largest question (with its answers), text block or result. */
const heaviestItem = ({
  questions,
  text_blocks,
  results,
  dimensions = [],
  text_variants = [],
}: SizedDraft): string => {
  const parts: SizedPart[] = [
    ...questions.map((question) => ({
      kind: 'la question',
      text: question.text,
      size: ownQuestionSize(question) + answersSize(question) + linksSize(question),
    })),
    ...text_blocks.map((block) => ({
      kind: 'le bloc de texte',
      text: block.content,
      size: blockSize(block),
    })),
    ...results.map((result) => ({
      kind: 'le résultat',
      text: result.name,
      size: resultSize(result),
    })),
    ...dimensions.map((dimension) => ({
      kind: 'la dimension',
      text: dimension.name,
      size: dimensionSize(dimension),
    })),
    ...text_variants.map((variant) => ({
      kind: 'le texte conditionnel',
      text: variant.text,
      size: variantSize(variant),
    })),
  ]
  const [first, ...others] = parts
  return first ? quote(others.reduce(heavier, first)) : 'l’accueil'
}

/** Returns the size of the formatting signs and insertions of a whole draft. */
const signsSize = ({
  quiz,
  questions,
  text_blocks,
  results,
  dimensions = [],
  text_variants = [],
}: SizedDraft): number =>
  sum(
    [
      quiz,
      ...text_blocks,
      ...results,
      ...dimensions,
      ...dimensions.flatMap(({ tiers }) => tiers),
      ...text_variants,
      ...questions,
      ...questions.flatMap(({ answers }) => answers),
    ],
    (row) => sum(textsOf(row), textSignsSize),
  )

/** Returns a French sentence with the excess and the largest parts; undefined if the size is within the limit. */
export const sizeError = (draft: SizedDraft): string | undefined => {
  const size = questionnaireSize(draft)
  if (size <= MAX_QUESTIONNAIRE_SIZE) return undefined
  const excess = Math.ceil((size / MAX_QUESTIONNAIRE_SIZE - 1) * 100)
  const parts = Object.entries(partSizes(draft)).sort(([, a], [, b]) => b - a)
  const [first, second] = parts.map(([part]) => PART_NAMES[part as Part](draft))
  const signs =
    signsSize(draft) >= size * MIN_NAMED_SIGNS_SHARE
      ? ' Les mises en forme (listes, liens, gras) et les insertions comptent beaucoup.'
      : ''
  return `Ce questionnaire est trop grand : il dépasse de ${formatCount(excess)} % la taille permise. Le plus lourd : ${first}, puis ${second}, et d’abord ${heaviestItem(draft)}.${signs} Enlevez-en une partie, ou faites-en deux questionnaires`
}

/** Returns true if an edit makes a draft too large; a draft that was too large before may keep its size or shrink. */
export const isGrownTooLarge = (before: SizedDraft, after: SizedDraft): boolean => {
  const size = questionnaireSize(after)
  return size > MAX_QUESTIONNAIRE_SIZE && size > questionnaireSize(before)
}
