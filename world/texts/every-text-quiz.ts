import { contractCalls } from '#server/testing/app/contract-calls.ts'
import { putTexts } from './put-text.ts'
import type { Row } from './send-texts.ts'
import { textFieldsOf } from './text-fields.ts'

/** Address of a button. A button with a text needs one. */
const BUTTON = { button_url: 'https://exemple.fr/suite' }
const RESULTS = [
  { id: 'low', name: 'Pas à pas', min_score: 0, max_score: 4, ...BUTTON },
  { id: 'high', name: 'Grand saut', min_score: 5, max_score: 20, ...BUTTON },
]
const answer = (id: string, score: number) => ({
  id,
  text: id,
  score,
  is_correct: score > 1,
  associations: [{ result_id: 'low', weight: 1, is_checked: false }],
})
const question = (id: string, type: string, more: Row = {}) => ({
  id,
  type,
  text: id,
  is_required: false,
  page_number: 1,
  ...more,
})

/**
 * Quiz file with every kind of part: all types of questions, a grid, « Autre… », contact data, a dimension, conditional
 * texts, a report, a certificate and the page of the participant.
 */
const PLAIN_FILE = {
  format: 'quizaine-quiz',
  schema_version: 4,
  quiz_mode: 'score',
  quiz: {
    name: 'Textes',
    type: 'quiz',
    report: 'replies',
    certificate_percent: 0,
    shows_corrections: 'end',
    keeps_page: true,
    confirms_email: true,
    dimension_chart: 'bars',
    shows_detail: true,
    allows_restart: true,
    consent_mode: 'requested',
    end_button_url: BUTTON.button_url,
  },
  results: RESULTS,
  questions: [
    question('choice', 'multiple_choice', {
      is_required: true,
      dimension_id: 'dimension',
      answers: [answer('first', 1), answer('second', 5)],
    }),
    question('several', 'multiple_choice', {
      max_choices: null,
      has_other: true,
      answers: [answer('third', 0), answer('fourth', 0)],
    }),
    question('grid', 'scale'),
    question('row', 'scale', { continues_grid: true }),
    question('text', 'text', { contact_role: 'first_name' }),
    question('textarea', 'textarea'),
    question('email', 'email'),
    question('phone', 'phone', { contact_role: 'phone' }),
    question('number', 'number'),
    question('date', 'date'),
  ].map((item, global_position) => ({ ...item, global_position })),
  text_blocks: [{ content: 'Bloc', global_position: 20, page_number: 1 }],
  dimensions: [
    {
      id: 'dimension',
      name: 'Énergie',
      tiers: [{ id: 'tier', from_percent: 0, to_percent: 100, title: 'Palier' }],
    },
  ],
  text_variants: [
    {
      place: 'every_result',
      text: 'Conseil',
      ...BUTTON,
      conditions: [{ kind: 'answer_chosen', question_id: 'choice', answer_id: 'second' }],
    },
    {
      place: 'mail',
      text: 'Suite',
      ...BUTTON,
      conditions: [{ kind: 'result', result_id: 'high' }],
    },
  ],
}

/** Returns the plain quiz file. */
export const createPlainFile = (): Row => structuredClone(PLAIN_FILE)

/** Names of fields that hold ids, addresses or pictures, which are no texts for readers. */
const NO_WORDS = /(?:^|[._])(?:id|url|data)$/

/** Returns the paths of the fields of a quiz file that hold words for readers. */
export const listWords = (): string[] => {
  const call = contractCalls.find(([name]) => name === 'quizFiles.read')
  const fields = call ? textFieldsOf(call) : []
  return fields.map(({ path }) => path).filter((path) => !NO_WORDS.test(path))
}

/**
 * Returns a quiz file with a text in each field that holds words for readers. `writeText` receives the path of the field
 * and the number of its row.
 */
export const createFileWithTexts = (writeText: (path: string, rank: number) => string): Row => {
  const file = createPlainFile()
  for (const path of listWords()) {
    let rank = 0
    putTexts(file, path, () => writeText(path, rank++))
  }
  return file
}
