import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'

/** Names of the dimensions of a skills quiz. */
const SKILLS = ['Écoute', 'Vente', 'Gestion'] as const
/** Highest number of each scale. */
const MAX_NUMBER = 10 as const

/** Published quiz by score: a right answer, and a scale from 0 to 10 for each skill. */
export type SkillsQuiz = {
  id: string
  question_id: string
  answer_ids: string[]
  scale_ids: string[]
  /** Returns replies with these numbers of the scales and the answer at a rank; the first answer is right. */
  repliesOf: (numbers: readonly number[], rank?: number) => Record<string, string>
}

/** Publishes a quiz with a report, pages of participants, certificates from 50 %, and one dimension for each skill. */
export const publishSkillsQuiz = async (
  client: Client,
  { name = 'Compétences', skills = SKILLS }: { name?: string; skills?: readonly string[] } = {},
): Promise<SkillsQuiz> => {
  const { quiz } = await client.quizzes.create({ body: { name, type: 'quiz' } })
  const { id } = quiz
  const question_id = randomUUID()
  const answer_ids = [randomUUID(), randomUUID()]
  const scale_ids = skills.map(() => randomUUID())
  const [first, second] = [randomUUID(), randomUUID()]
  const results = [
    { id: first, name: 'À renforcer' },
    { id: second, name: 'Acquis' },
  ]
  await client.results.saveAll({ id, body: { results } })
  await client.questions.saveDraft({
    id,
    body: {
      quiz_mode: 'score',
      questions: [
        {
          id: question_id,
          text: 'Que faire d’abord ?',
          type: 'multiple_choice',
          answers: answer_ids.map((answer_id, rank) => ({
            id: answer_id,
            text: ['Alerter les secours', 'Attendre'][rank] ?? '',
            score: rank === 0 ? 2 : 0,
            is_correct: rank === 0,
          })),
        },
        ...scale_ids.map((scale_id, rank) => ({
          id: scale_id,
          text: `Votre niveau : ${skills[rank]} ?`,
          type: 'scale' as const,
          scale_min: 0 as const,
          scale_max: MAX_NUMBER,
          counts_in_score: true,
        })),
      ],
      score_thresholds: {
        [first]: { min_score: 0, max_score: 15 },
        [second]: { min_score: 16, max_score: 99 },
      },
    },
  })
  const dimensions = skills.map((skill) => ({
    id: randomUUID(),
    name: skill,
    description: null,
    tiers: [],
  }))
  const { revision } = await client.drafts.get({ id })
  await client.drafts.save({
    id,
    body: {
      based_on: revision,
      quiz: { report: 'result', certificate_percent: 50, dimension_chart: 'radar' },
      dimensions,
      questions: scale_ids.map((scale_id, rank) => ({
        id: scale_id,
        dimension_id: dimensions[rank]?.id ?? null,
      })),
    },
  })
  await client.quizzes.update({ id, body: { keeps_page: true } })
  await client.quizzes.publish({ id })
  return {
    ...{ id, question_id, answer_ids, scale_ids },
    repliesOf: (numbers, rank = 0) => ({
      [question_id]: answer_ids[rank] ?? '',
      ...Object.fromEntries(
        scale_ids.map((scale_id, index) => [scale_id, String(numbers[index] ?? 0)]),
      ),
    }),
  }
}
