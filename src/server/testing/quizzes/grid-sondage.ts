import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'

/** Sondage with a grid of scales on page 1, and a grid of choices and a text on page 2. */
export type GridSondage = {
  id: string
  /** Ids of the three scales, of which the last is optional. */
  scales: string[]
  /** Ids of the two choices, each with its answers « Oui », « Plutôt » and « Non ». */
  choices: { id: string; answers: string[] }[]
  text: string
}

const SCALE = {
  type: 'scale' as const,
  scale_min: 1 as const,
  scale_max: 5 as const,
  scale_min_label: 'Pas du tout',
  scale_max_label: 'Tout à fait',
}

/** Publishes the sondage. Without `has_grids`, the same questions are single ones. */
export const publishGridSondage = async (
  client: Client,
  { has_grids = true } = {},
): Promise<GridSondage> => {
  const body = { name: 'Fin de formation', type: 'sondage' as const }
  const { id } = (await client.quizzes.create({ body })).quiz
  const scales = [randomUUID(), randomUUID(), randomUUID()]
  const choices = [randomUUID(), randomUUID()].map((id) => ({
    id,
    answers: [randomUUID(), randomUUID(), randomUUID()],
  }))
  const text = randomUUID()
  const rowOf = (rank: number, title: string) =>
    has_grids && (rank === 0 ? { grid_title: title } : { continues_grid: true })
  const questions = [
    ...scales.map((id, rank) => ({
      id,
      ...SCALE,
      ...rowOf(rank, 'Votre formation'),
      text: ['Le rythme convenait', 'Les supports étaient clairs', 'Les salles'][rank] ?? '',
      ...(rank === 1 && { help: 'Les fascicules et les vidéos.' }),
      is_required: rank < 2,
    })),
    ...choices.map((choice, rank) => ({
      id: choice.id,
      type: 'multiple_choice' as const,
      page_number: 2,
      ...rowOf(rank, 'Et après ?'),
      text: ['Je recommande', 'Je reviendrai'][rank] ?? '',
      answers: choice.answers.map((answer, index) => ({
        id: answer,
        text: ['Oui', 'Plutôt', 'Non'][index] ?? '',
      })),
    })),
    { id: text, type: 'text' as const, text: 'Un mot ?', page_number: 2 },
  ]
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })
  return { id, scales, choices, text }
}

const LONG_GRID_ROWS = 20
const FREQUENCIES = ['Jamais', 'Parfois', 'Souvent', 'Toujours']

/** Publishes a sondage with a grid of choices that is longer than a screen. */
export const publishLongGrid = async (client: Client): Promise<{ id: string }> => {
  const body = { name: 'Mes habitudes', type: 'sondage' as const }
  const { id } = (await client.quizzes.create({ body })).quiz
  const questions = Array.from({ length: LONG_GRID_ROWS }, (_, rank) => ({
    id: randomUUID(),
    type: 'multiple_choice' as const,
    text: `Habitude ${rank + 1}`,
    ...(rank === 0 ? { grid_title: 'À quelle fréquence ?' } : { continues_grid: true }),
    answers: FREQUENCIES.map((text) => ({ id: randomUUID(), text })),
  }))
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })
  return { id }
}
