import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import { createNoisePicture } from './pictures.ts'

/** Texts at the end of a run whose participant chooses « Souvent » and 5, in the order of the page. */
export const COMPLETE_END = {
  result: 'Bel équilibre',
  conditional: 'Gardez ce rythme.',
  dimension: 'Énergie',
  report: 'Mon bilan en PDF',
  certificate: 'Mon attestation en PDF',
  own_page: 'Ouvrir ma page',
}

/** Replies of the run, as statistics show them. */
export const COMPLETE_REPLIES = [
  'Tu bouges ?: Souvent',
  'Ce qui va bien : Le sommeil: 5',
  'Ce qui va bien : Les repas: 4',
  'Ton prénom ?: Zoé',
  'Ton email ?: zoe@exemple.fr',
  'Ton téléphone ?: 0470 12 34 56',
  'Ta note ?: 9.5',
  'Depuis le ?: 24/12/2025',
]
/** Values of the replies after the first, which is an answer. */
const TYPED_REPLIES = ['5', '4', 'Zoé', 'zoe@exemple.fr', '0470 12 34 56', '9.5', '2025-12-24']

/** Returns the replies of the run by question. */
export const loadCompleteReplies = async (
  client: Client,
  id: string,
): Promise<Record<string, string>> => {
  const { questions } = await client.questions.unified({ id })
  return Object.fromEntries(
    questions.map(({ id: question_id, answers: [, often] }, rank) => [
      question_id,
      often?.id ?? TYPED_REPLIES[rank - 1] ?? '',
    ]),
  )
}

const uuids = (length: number): string[] => Array.from({ length }, () => randomUUID())

/**
 * Publishes a quiz by score whose run meets everything that visitors see: a picture, a grid, contact data, a number and a
 * day, dimensions, a conditional text, corrections, labels with « tu », a report, a certificate and the participant's page.
 */
export const publishCompleteQuiz = async (client: Client): Promise<string> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Ma semaine', type: 'quiz' } })
  const { id } = quiz
  const [low = '', high = '', moves = '', rarely = '', often = '', sleep = '', meals = ''] =
    uuids(7)
  const [energy = '', tired = '', awake = '', note = ''] = uuids(4)
  const { image } = await client.images.add({
    body: Buffer.from(await createNoisePicture(200, 100).png().toBuffer()),
  })
  await client.results.saveAll({
    id,
    body: {
      results: [
        { id: low, name: 'À reprendre', min_score: 0, max_score: 4 },
        { id: high, name: COMPLETE_END.result, min_score: 5, max_score: 20 },
      ],
    },
  })
  const scale = { type: 'scale', scale_min: 1, scale_max: 5, counts_in_score: true } as const
  const typed = { page_number: 2 }
  await client.questions.saveDraft({
    id,
    body: {
      quiz_mode: 'score',
      questions: [
        {
          id: moves,
          text: 'Tu bouges ?',
          type: 'multiple_choice',
          image_id: image.id,
          image_alt: 'Un chemin',
          answers: [
            { id: rarely, text: 'Rarement', score: 0 },
            { id: often, text: 'Souvent', score: 3, is_correct: true },
          ],
        },
        { id: sleep, text: 'Le sommeil', ...scale, grid_title: 'Ce qui va bien' },
        { id: meals, text: 'Les repas', ...scale, continues_grid: true },
        { text: 'Ton prénom ?', type: 'text', contact_role: 'first_name', ...typed },
        { text: 'Ton email ?', type: 'email', ...typed },
        { text: 'Ton téléphone ?', type: 'phone', contact_role: 'phone', ...typed },
        { text: 'Ta note ?', type: 'number', ...typed },
        { text: 'Depuis le ?', type: 'date', ...typed },
      ],
    },
  })
  const { revision } = await client.drafts.get({ id })
  await client.drafts.save({
    id,
    body: {
      based_on: revision,
      quiz: {
        address_form: 'tu',
        shows_detail: true,
        shows_corrections: 'end',
        report: 'replies',
        report_label: COMPLETE_END.report,
        certificate_percent: 0,
        certificate_label: COMPLETE_END.certificate,
      },
      dimensions: [
        {
          id: energy,
          name: COMPLETE_END.dimension,
          tiers: [
            { id: tired, from_percent: 0, to_percent: 49, title: 'Basse', text: null },
            { id: awake, from_percent: 50, to_percent: 100, title: 'Haute', text: null },
          ],
        },
      ],
      questions: [sleep, meals].map((id) => ({ id, dimension_id: energy })),
      text_variants: [
        {
          id: note,
          place: 'every_result',
          result_id: null,
          position: 0,
          joined_by: 'and',
          conditions: [{ kind: 'answer_chosen', question_id: moves, answer_id: often }],
          text: COMPLETE_END.conditional,
          button_text: null,
          button_url: null,
        },
      ],
    },
  })
  await client.quizzes.update({ id, body: { keeps_page: true } })
  await client.quizzes.publish({ id })
  return id
}
