import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import type { DimensionTier } from '#domain/questionnaire/fields/list-values.ts'

const tierOf = (
  id: string,
  [from_percent, to_percent]: [from: number, to: number],
  title: string,
): DimensionTier => ({ id, from_percent, to_percent, title, text: null })

/**
 * Publishes a quiz by score with jumps and two dimensions. « Santé » is the question on page 1, whose answers lead to
 * page 2, to page 3 or to the end. « Argent » is the questions on pages 2 and 3.
 */
export const publishDimensionQuiz = async (owner: Client) => {
  const { quiz } = await owner.quizzes.create({ body: { name: 'Ma roue', type: 'quiz' } })
  const { id } = quiz
  const ids = Array.from({ length: 17 }, () => randomUUID())
  const [way = '', on = '', past = '', out = '', several = '', a = '', b = '', c = ''] = ids
  const [scale = '', result = '', health = '', money = ''] = ids.slice(8)
  const [weak = '', strong = '', poor = '', rich = '', high = ''] = ids.slice(12)
  const results = [
    { id: result, name: 'Roue fragile' },
    { id: high, name: 'Belle roue' },
  ]
  await owner.results.saveAll({ id, body: { results } })
  await owner.questions.saveDraft({
    id,
    body: {
      quiz_mode: 'score',
      questions: [
        {
          id: way,
          text: 'Par où ?',
          type: 'multiple_choice',
          answers: [
            { id: on, text: 'Tout droit', score: 0 },
            { id: past, text: 'Court', score: 2, jump_to: 3 },
            { id: out, text: 'Dehors', score: 4, jump_to: 0 },
          ],
        },
        {
          id: several,
          text: 'Lesquels ?',
          type: 'multiple_choice',
          page_number: 2,
          max_choices: 2,
          is_required: false,
          answers: [
            { id: a, text: 'Un', score: 1 },
            { id: b, text: 'Deux', score: 2 },
            { id: c, text: 'Quatre', score: 4 },
          ],
        },
        {
          id: scale,
          text: 'Combien ?',
          type: 'scale',
          page_number: 3,
          scale_min: 1,
          scale_max: 5,
          counts_in_score: true,
          is_required: false,
        },
      ],
      score_thresholds: {
        [result]: { min_score: 0, max_score: 5 },
        [high]: { min_score: 6, max_score: 99 },
      },
    },
  })
  const wheel = { id, way, on, past, out, several, a, b, c, scale, result, high, health, money }
  const tiers = { weak, strong, poor, rich }
  const { revision } = await owner.drafts.get({ id })
  await owner.drafts.save({
    id,
    body: {
      based_on: revision,
      dimensions: [
        {
          id: health,
          name: 'Santé',
          description: null,
          tiers: [tierOf(weak, [0, 49], 'Faible'), tierOf(strong, [50, 100], 'Forte')],
        },
        {
          id: money,
          name: 'Argent',
          description: null,
          tiers: [tierOf(poor, [0, 60], 'Fragile'), tierOf(rich, [61, 100], 'Solide')],
        },
      ],
      questions: [
        { id: way, dimension_id: health },
        { id: several, dimension_id: money },
        { id: scale, dimension_id: money },
      ],
    },
  })
  await owner.quizzes.publish({ id })
  return { ...wheel, ...tiers }
}

/** Ids of the quiz of `publishDimensionQuiz`. */
export type DimensionQuiz = Awaited<ReturnType<typeof publishDimensionQuiz>>

/** Publishes a second version: « Santé » is « Forme », comes last, and « Faible » is « À revoir » up to 69 %. */
export const publishMovedDimensions = async (owner: Client, quiz: DimensionQuiz): Promise<void> => {
  const { id, health, money, weak, strong } = quiz
  const { revision } = await owner.drafts.get({ id })
  await owner.drafts.save({
    id,
    body: {
      based_on: revision,
      dimensions: [
        {
          id: health,
          name: 'Forme',
          position: 1,
          tiers: [tierOf(weak, [0, 69], 'À revoir'), tierOf(strong, [70, 100], 'Forte')],
        },
        { id: money, position: 0 },
      ],
    },
  })
  await owner.quizzes.publish({ id })
}

/**
 * Changes the draft: « Santé » has « À revoir » up to 69 %, « Argent » is deleted, and « Temps » is new, with the
 * scale. Returns the id of « Temps ».
 */
export const replaceDimensions = async (
  owner: Client,
  { id, scale, health, money, weak, strong }: DimensionQuiz,
): Promise<string> => {
  const time = randomUUID()
  const { revision } = await owner.drafts.get({ id })
  await owner.drafts.save({
    id,
    body: {
      based_on: revision,
      removed: [money],
      dimensions: [
        {
          id: health,
          tiers: [tierOf(weak, [0, 69], 'À revoir'), tierOf(strong, [70, 100], 'Forte')],
        },
        { id: time, name: 'Temps' },
      ],
      questions: [{ id: scale, dimension_id: time }],
    },
  })
  return time
}

/** Replies of a participant: ranks of the chosen answers, and the number on the scale; 0 is blank. */
export type DimensionRun = {
  version: number
  way: 'on' | 'past' | 'out'
  several: ('a' | 'b' | 'c')[]
  scale: number
}

/** Returns the replies of a run by question. */
export const repliesOfRun = (
  quiz: DimensionQuiz,
  { way, several, scale }: DimensionRun,
): Record<string, string | string[]> => ({
  [quiz.way]: quiz[way],
  ...(way === 'on' &&
    several.length > 0 && { [quiz.several]: several.map((answer) => quiz[answer]) }),
  ...(way !== 'out' && scale > 0 && { [quiz.scale]: `${scale}` }),
})

/** Submits a run as a visitor, and returns the id of the participant. */
export const takeDimensionQuiz = async (
  visitor: Client,
  quiz: DimensionQuiz,
  run: DimensionRun,
): Promise<string> => {
  const { participant_uuid } = await visitor.publicQuiz.submit({
    id: quiz.id,
    body: { answers: repliesOfRun(quiz, run), version: run.version },
  })
  return participant_uuid
}

const WAY_POINTS = { on: 0, past: 2, out: 4 }
const POINTS = { a: 1, b: 2, c: 4 }

/** Returns the percents of a run, computed from the points of this quiz; null for a hidden dimension. */
export const percentsOfRun = ({
  way,
  several,
  scale,
}: DimensionRun): { health: number; money: number | null } => {
  const health = (WAY_POINTS[way] / 4) * 100
  const chosen = way === 'on' ? several.map((answer) => POINTS[answer]) : []
  const measured = way === 'out' ? 0 : scale
  // Only answered questions count: one or two answers with 1 to 6 points, and a scale from 1 to 5.
  const least = (chosen.length > 0 ? 1 : 0) + (measured > 0 ? 1 : 0)
  const greatest = (chosen.length > 0 ? 6 : 0) + (measured > 0 ? 5 : 0)
  if (greatest === 0) return { health, money: null }
  const points = chosen.reduce((sum, value) => sum + value, measured)
  return { health, money: Math.round(((points - least) / (greatest - least)) * 100) }
}
