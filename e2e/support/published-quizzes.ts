import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { Client } from '../../src/contract/client/client.ts'
import { readyScoreQuiz, type SampleQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'

/** Questionnaires with jumps, pictures, scales, dates and dimensions, published through the API client. */

const picture = async (client: Client, background: string) => {
  const file = { width: 800, height: 600, channels: 3 as const, background }
  const { image } = await client.images.add({
    body: new Uint8Array(await sharp({ create: file }).jpeg().toBuffer()),
  })
  return { image_id: image.id, image_alt: '' }
}

/** Publishes a quiz with jumps: « La montagne » skips page 2, and « Non » on page 3 leads to the end. */
export const publishBranchingQuiz = async (client: Client): Promise<string> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Où partir ?', type: 'quiz' } })
  const { id } = quiz
  const [sea, mountain] = [randomUUID(), randomUUID()]
  const results = [
    { id: sea, name: 'Au large' },
    { id: mountain, name: 'Au sommet' },
  ]
  await client.results.saveAll({ id, body: { results } })
  const counting = (result_id: string) => ({ associations: [{ result_id, is_checked: true }] })
  const place = { type: 'multiple_choice' as const, text: 'Mer ou montagne ?' }
  const wishes = { type: 'multiple_choice' as const, text: 'Que faire à la mer ?' }
  const more = { type: 'multiple_choice' as const, text: 'Encore une question ?' }
  const questions = [
    {
      ...place,
      help: 'Une image **suffit**.',
      answers: [
        { text: 'La mer', ...(await picture(client, '#2a6f97')), ...counting(sea) },
        {
          text: 'La montagne',
          ...(await picture(client, '#7f8a5b')),
          ...counting(mountain),
          jump_to: 3,
        },
      ],
    },
    {
      ...wishes,
      max_choices: 2,
      has_other: true,
      shuffles_answers: true,
      page_number: 2,
      answers: [
        { text: 'Nager', ...(await picture(client, '#468faf')), ...counting(sea) },
        { text: 'Lire', ...(await picture(client, '#a9d6e5')), ...counting(sea) },
      ],
    },
    {
      ...more,
      page_number: 3,
      answers: [
        { text: 'Oui', ...counting(sea) },
        { text: 'Non', jump_to: 0, ...counting(sea) },
      ],
    },
    { type: 'text' as const, text: 'Laquelle ?', page_number: 4 },
  ]
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })
  return id
}

/** Publishes a one-page sondage with two scales, a choice with « Autre… » and three optional questions. */
export const publishScaleSondage = async (client: Client): Promise<string> => {
  const body = { name: 'Votre séjour', type: 'sondage' as const }
  const { id } = (await client.quizzes.create({ body })).quiz
  const labels = { scale_min_label: 'Pas du tout', scale_max_label: 'Sans hésiter' }
  const questions = [
    { type: 'scale' as const, text: 'Nous recommanderiez-vous ?', ...labels },
    {
      type: 'multiple_choice' as const,
      text: 'Venu par ?',
      has_other: true,
      shuffles_answers: true,
      answers: ['Le train', 'Un ami', 'La presse', 'Un moteur', 'Une affiche'].map((text) => ({
        text,
      })),
    },
    { type: 'textarea' as const, text: 'Un mot ?', is_required: false },
    { type: 'date' as const, text: 'Arrivé le ?', is_required: false },
    {
      type: 'scale' as const,
      text: 'Reviendrez-vous ?',
      is_required: false,
      scale_min: 1 as const,
      scale_max: 5 as const,
    },
  ]
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })
  return id
}

/**
 * Publishes the sample quiz with a dimension of its choice, « Santé », and one of a scale, « Argent ». The result page
 * and the result mail have equal conditional texts.
 */
export const publishWheel = async (client: Client): Promise<SampleQuiz> => {
  const quiz = await readyScoreQuiz(client)
  const { id, question_id, answer_ids, result_ids } = quiz
  const { question } = await client.questions.create({
    id,
    body: {
      type: 'scale',
      text: 'Vos économies ?',
      scale_min: 1,
      scale_max: 5,
      counts_in_score: true,
      is_required: false,
      page_number: 1,
      global_position: 1,
    },
  })
  const [health, money, weak] = [randomUUID(), randomUUID(), randomUUID()]
  const tier = (from: number, to: number, title: string, text: string, tier_id = randomUUID()) => ({
    id: tier_id,
    from_percent: from,
    to_percent: to,
    title,
    text,
  })
  const texts = [
    {
      conditions: [{ kind: 'dimension_tier' as const, dimension_id: health, tier_id: weak }],
      text: 'Commencez par {{point faible}}.\nPuis **reposez-vous**.',
    },
    {
      conditions: [{ kind: 'answer_chosen' as const, question_id, answer_id: answer_ids[1] ?? '' }],
      text: 'Un agenda libre',
    },
    {
      conditions: [{ kind: 'result' as const, result_id: result_ids[0] ?? '' }],
      text: '',
      button_text: 'Prendre rendez-vous',
      button_url: 'https://exemple.fr/rdv',
    },
  ]
  const { revision } = await client.drafts.get({ id })
  await client.drafts.save({
    id,
    body: {
      based_on: revision,
      questions: [
        { id: question_id, dimension_id: health },
        { id: question.id, dimension_id: money },
      ],
      dimensions: [
        {
          id: health,
          name: 'Santé',
          description: 'Le sommeil et les repas.',
          tiers: [
            tier(0, 49, 'Faible', 'Dormez **mieux**.', weak),
            tier(50, 100, 'Forte', 'Continuez.'),
          ],
        },
        {
          id: money,
          name: 'Argent',
          description: null,
          tiers: [
            tier(0, 60, 'Fragile', '- Comptez\n- Épargnez'),
            tier(61, 100, 'Solide', 'Bravo.'),
          ],
        },
      ],
      text_variants: (['every_result', 'mail'] as const).flatMap((place, group) =>
        texts.map((text, rank) => ({
          id: randomUUID(),
          place,
          result_id: null,
          joined_by: 'and' as const,
          button_text: null,
          button_url: null,
          position: group * texts.length + rank,
          ...text,
        })),
      ),
    },
  })
  await client.quizzes.publish({ id })
  return quiz
}
