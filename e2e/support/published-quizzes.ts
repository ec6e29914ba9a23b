import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { Client } from '../../src/contract/client/client.ts'

/** Questionnaires with jumps, pictures, scales and dates, published through the API client. */

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
          ...{ text: 'La montagne', ...(await picture(client, '#7f8a5b')) },
          ...{ ...counting(mountain), jump_to: 3 },
        },
      ],
    },
    {
      ...{ ...wishes, max_choices: 2, has_other: true, shuffles_answers: true, page_number: 2 },
      answers: [
        { text: 'Nager', ...(await picture(client, '#468faf')), ...counting(sea) },
        { text: 'Lire', ...(await picture(client, '#a9d6e5')), ...counting(sea) },
      ],
    },
    {
      ...{ ...more, page_number: 3 },
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
      ...{ type: 'multiple_choice' as const, text: 'Venu par ?' },
      ...{ has_other: true, shuffles_answers: true },
      answers: ['Le train', 'Un ami', 'La presse', 'Un moteur', 'Une affiche'].map((text) => ({
        text,
      })),
    },
    { type: 'textarea' as const, text: 'Un mot ?', is_required: false },
    { type: 'date' as const, text: 'Arrivé le ?', is_required: false },
    {
      ...{ type: 'scale' as const, text: 'Reviendrez-vous ?', is_required: false },
      ...{ scale_min: 1 as const, scale_max: 5 as const },
    },
  ]
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })
  return id
}
