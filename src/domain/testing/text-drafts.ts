import fc from 'fast-check'
import { excerpt, isBlankText, trimText, withoutControls } from '#domain/common/text.ts'
import { areDatesInOrder } from '#domain/questionnaire/access-dates.ts'
import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import { defaultsOf, filterFields, isUsedBy } from '#domain/questionnaire/fields/field.ts'
import { OPTION_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import { modeAfterEdit } from '#domain/questionnaire/mode.ts'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import {
  type Draft,
  type ImageFields,
  isChoice,
  type Question,
} from '#domain/questionnaire/quiz.ts'
import { inResultOrder } from '#domain/questionnaire/snapshot.ts'
import { type ReferenceField, replaceConditionIds } from '#domain/questionnaire/text-variants.ts'
import { isScaleFrom0To10 } from '#domain/questionnaire/used-settings.ts'
import { questionsByPage } from '#domain/text-format/references.ts'
import { drafts, IMAGE_IDS } from './drafts.ts'

/**
 * Random drafts whose texts resemble the syntax of the text format, and the part of a draft that the text format
 * keeps.
 */

const SIGNS = [
  ...[
    '# Titre',
    '## Page 2',
    '### ',
    '#',
    '#1',
    '> cité',
    '>',
    '- a',
    '-',
    '-> r0',
    '->',
    '=> fin',
  ],
  ...['=> page 2', '[+2]', '[0]', '[-1', '[', ']', 'a, b', ',', 'r0 ×2', 'x3', '×', ':', 'Aide :'],
  ...['Texte : a', 'Palier : 0 à 5', '![a](b)', '![', '?', '\\', '\\n', '\\u{41}', '\\\\', '---'],
  ...['\n', 'a\nb', '\n> c', '\r', '\t', ' ', '\u00a0', '\u2028', '\ufeff', '\u0001', '\u0085', ''],
]
const piece = fc.oneof(
  fc.constantFrom(...SIGNS),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)
/** Text as it is stored. */
const text = fc
  .array(piece, { maxLength: 4 })
  .map((pieces) => excerpt(withoutControls(pieces.join('').replaceAll('\0', '')), 25))

const name = text.map((word) => trimText(word) || 'r0')
const optional = fc.option(text)
/** Returns the visible characters of a text, because an address has no others. */
const visible = (word: string): string =>
  [...word].filter((letter) => !isBlankText(letter)).join('')
const address = fc.option(text.map((word) => `https://exemple.fr/${visible(word)}`))
const color = fc.option(fc.constantFrom('#ffffff', '#0A0b0C'))
const image = fc.option(fc.constantFrom(...IMAGE_IDS))

const label = fc.option(fc.constantFrom('Vas-y', 'Encore : « ici »', '# Page'))
const time = fc.option(
  fc
    .date({ min: new Date('2000-01-02'), max: new Date('2999-12-30'), noInvalidDate: true })
    .chain((date) =>
      fc.constantFrom(date.toISOString(), `${date.toISOString().slice(0, 16)}:00.000Z`),
    ),
)

const heads = fc.record({
  name,
  bg_color: color,
  text_color: color,
  button_color: color,
  button_text_color: color,
  accent_color: color,
  consent_mode: fc.constantFrom('box', 'requested'),
  consent_text: fc.option(name),
  sender_name: fc.option(fc.constantFrom('Camille Durand', 'Dupont, « Bob »', 'École & Co')),
  measure_consent: fc.boolean(),
  measure_text: fc.option(name),
  welcome_title: optional,
  welcome_text: optional,
  welcome_button: optional,
  welcome_image_id: image,
  welcome_image_alt: optional,
  end_title: optional,
  end_text: optional,
  end_button_text: optional,
  end_button_url: address,
  shows_detail: fc.boolean(),
  allows_restart: fc.boolean(),
  certificate_title: optional,
  certificate_text: optional,
  certificate_issuer: label,
  auto_advance: fc.boolean(),
  address_form: fc.constantFrom('vous', 'tu'),
  next_label: label,
  back_label: label,
  finish_label: label,
  continue_label: label,
  restart_label: label,
  share_label: label,
  report_label: label,
  certificate_label: label,
  corners: fc.constantFrom('square', 'soft', 'round'),
  logo_image_id: image,
  background_image_id: image,
  slug: fc.option(fc.constantFrom('mon-quiz', 'a1b')),
  opens_at: time,
  closes_at: time,
  max_responses: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
  closed_text: optional,
  parameters: fc.constantFrom<string[][]>([], ['ref'], ['ref', 'a_1']),
  keeps_page: fc.boolean(),
  page_erases_contacts: fc.boolean(),
})
type Head = Partial<Draft['quiz']>

/** Removes a closing date that is not after the opening date, because no stored draft has one. */
const arrangeDates = (quiz: Draft['quiz']): Draft['quiz'] =>
  areDatesInOrder(quiz) ? quiz : { ...quiz, closes_at: null }

/** Random stored drafts with any texts. */
export const draftsWithAnyText: fc.Arbitrary<Draft> = fc
  .tuple(drafts, heads, fc.infiniteStream(text))
  .map(([draft, head, texts]) => {
    const draw = (): string => texts.next().value ?? ''
    const drawOne = (): string | null => draw() || null
    const drawName = (): string => trimText(draw()) || 'r0'
    return {
      ...draft,
      quiz: arrangeDates({ ...draft.quiz, ...(head as Head) }),
      results: draft.results.map((result) => ({
        ...result,
        name: drawName(),
        description: drawOne(),
        image_alt: drawOne(),
        button_text: drawOne(),
        button_url: `https://a.fr/${visible(draw())}`,
      })),
      dimensions: draft.dimensions.map((dimension) => ({
        ...dimension,
        name: draw(),
        description: drawOne(),
        tiers: dimension.tiers.map((tier) => ({ ...tier, title: draw(), text: drawOne() })),
      })),
      text_variants: draft.text_variants.map((variant) => ({
        ...variant,
        text: draw(),
        button_text: drawOne(),
        button_url: `https://a.fr/${visible(draw())}`,
      })),
      text_blocks: draft.text_blocks.map((block) => ({ ...block, content: draw() })),
      questions: draft.questions.map((question) => ({
        ...question,
        text: draw(),
        label: drawOne(),
        help: drawOne(),
        scale_min_label: drawOne(),
        scale_max_label: drawOne(),
        image_alt: drawOne(),
        grid_title: drawOne(),
        explanation: drawOne(),
        answers: isChoice(question)
          ? question.answers.map((answer) => ({ ...answer, text: draw(), image_alt: drawOne() }))
          : [],
      })),
    }
  })

/**
 * Returns the part of a draft that the text format keeps: parts in their order, and links by the ranks of results.
 */
export const contentInTextFormat = ({
  quiz,
  quiz_mode,
  results,
  questions,
  text_blocks,
  dimensions,
  text_variants,
}: Draft) => {
  const references = referencesIn({ results, questions, text_blocks, dimensions })
  const ranks = new Map(inResultOrder(results).map(({ id }, rank) => [id, rank]))
  const asked = questions.map((question) => ({ ...question, ...usefulOptions(question) }))
  const { id, status, nb_responses, folder_id, created_at, updated_at, ...head } = quiz
  const { kit_custom_field, brevo_attribute_name, tie_question_id, ...said } = head
  const tied = asked.filter(isChoice).find((question) => question.id === tie_question_id)
  return {
    quiz: {
      ...said,
      welcome_image_alt: quiz.welcome_image_id === null ? null : quiz.welcome_image_alt,
    },
    tied: tied ? [tied.page_number, tied.text] : null,
    quiz_mode: modeAfterEdit(quiz_mode, asked),
    results: inResultOrder(results).map(({ id, quiz_id, priority_order, updated_at, ...result }) =>
      pictured(result),
    ),
    pages: groupIntoPages({ questions: asked, text_blocks }).map(({ number, items }) => [
      number,
      items.map((item) => {
        if (item.kind === 'text_block') return item.text_block.content
        const { id, quiz_id, position, global_position, page_number, ...question } = item.question
        const answers = question.answers.map(
          ({ id, question_id, position, associations, ...answer }) => ({
            ...pictured(answer),
            links: associations
              .filter(({ is_checked, result_id }) => is_checked && ranks.has(result_id))
              .map(({ result_id, weight }) => [ranks.get(result_id) ?? 0, weight] as const)
              .sort(([a], [b]) => a - b),
          }),
        )
        const dimension_id = hasPoints(item.question)
          ? references(question.dimension_id ?? '', 'dimension_id')
          : undefined
        return { ...pictured(question), answers, dimension_id }
      }),
    ]),
    dimensions: dimensions.map(({ name, description, tiers }) => ({
      name,
      description,
      tiers: tiers.map(({ id, ...tier }) => tier),
    })),
    text_variants: text_variants.map(({ id, quiz_id, result_id, ...variant }) => ({
      ...variant,
      result_id: result_id && references(result_id, 'result_id'),
      conditions: variant.conditions.map((condition) => ({
        ...replaceConditionIds(condition, references),
        // The answer of a lost question is lost too.
        ...('answer_id' in condition &&
          references(condition.question_id, 'question_id') === LOST && { answer_id: LOST }),
      })),
    })),
  }
}

const LOST = 'lost'

const hasPoints = (question: Question): boolean => isChoice(question) || question.type === 'scale'

/** Returns the rank of each row that conditions refer to, within its parent; LOST for a deleted row. */
const referencesIn = ({
  results,
  questions,
  text_blocks,
  dimensions,
}: Pick<Draft, 'results' | 'questions' | 'text_blocks' | 'dimensions'>) => {
  const asked = questionsByPage({ questions, text_blocks })
  const rows: Record<ReferenceField, readonly (readonly { id: string }[])[]> = {
    result_id: [inResultOrder(results)],
    question_id: [asked],
    answer_id: questions.map(({ answers }) => answers),
    dimension_id: [dimensions],
    tier_id: dimensions.map(({ tiers }) => tiers),
  }
  return (id: string, field: ReferenceField): string => {
    const ranks = rows[field].map((list) => list.findIndex((row) => row.id === id))
    const rank = Math.max(-1, ...ranks)
    return rank === -1 ? LOST : `${rank}`
  }
}

const pictured = <Row extends ImageFields>(row: Row): Row =>
  row.image_id === null ? { ...row, image_alt: null } : row

const usefulOptions = (question: Question): Partial<Question> => ({
  ...defaultsOf(
    filterFields(OPTION_FIELDS, ({ use }) => !isUsedBy(question.type, use)) as typeof OPTION_FIELDS,
  ),
  ...(isChoice(question) || question.type === 'scale'
    ? { dimension_id: question.dimension_id }
    : {}),
  ...(!isScaleFrom0To10(question) && {
    shows_recommendation: OPTION_FIELDS.shows_recommendation.default,
  }),
  contact_role: contactRoleOf(question),
})
