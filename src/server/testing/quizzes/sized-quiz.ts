import type { Client } from '#contract/client/client.ts'
import { pastUuid } from './past-uuid.ts'

const SUBJECTS = ['votre agenda', 'votre clientèle', 'vos prix', 'votre équipe', 'vos nouveautés']
const MOMENTS = ['le lundi matin', 'en fin de mois', 'à la rentrée', 'pendant les fêtes', 'l’été']
const OPENINGS = [
  'Comment gérez-vous',
  'Que diriez-vous de',
  'Qui s’occupe de',
  'Que changeriez-vous à',
]
const REPLIES = [
  'Je préfère tout noter',
  'Au fil de l’eau, sans rien prévoir',
  'J’ai quelqu’un pour cela',
  'C’est ma première préoccupation',
  'Pas encore décidé',
  'Cela dépend de la saison',
  'Avec un tableau et beaucoup de café',
]

/** Creates a generator of version 7 UUIDs as the editor creates them. Their times are four seconds apart. */
const createIds = (): (() => string) => {
  let made_at = Date.parse('2026-01-05T09:00:00Z')
  return () => {
    made_at += 4_000
    return pastUuid(made_at)
  }
}

const pick = (list: readonly string[], index: number): string => list[index % list.length] ?? ''

/** Returns questions of a typical quiz: two per page with four answers each, and every fifth a text question. */
const questionsOf = (count: number, newId: () => string) =>
  Array.from({ length: count }, (_, index) => {
    const place = { id: newId(), page_number: Math.floor(index / 2) + 1 }
    const text = `${pick(OPENINGS, index)} ${pick(SUBJECTS, index)} ${pick(MOMENTS, index * 3 + 1)} ?`
    if (index % 5 === 4) return { ...place, text, type: 'text' as const }
    const answers = Array.from({ length: 4 }, (_, rank) => ({
      id: newId(),
      text: `${pick(REPLIES, index + rank * 2)}, ${pick(MOMENTS, index + rank)}`,
      score: rank,
    }))
    return { ...place, text, type: 'multiple_choice' as const, answers }
  })

/** Publishes a quiz by score with up to 200 questions and returns its id. */
export const publishSizedQuiz = async (client: Client, questions: number): Promise<string> => {
  const { quiz } = await client.quizzes.create({
    body: { name: `Quel commerçant êtes-vous en ${questions} questions ?`, type: 'quiz' },
  })
  const { id } = quiz
  const newId = createIds()
  const results = ['Prudent', 'Méthodique', 'Audacieux'].map((name) => ({
    id: newId(),
    name,
    description: `Vous êtes ${name.toLowerCase()} : vos clients le savent et reviennent pour cela.`,
  }))
  await client.results.saveAll({ id, body: { results } })
  await client.questions.saveDraft({
    id,
    body: {
      questions: questionsOf(questions, newId),
      score_thresholds: Object.fromEntries(
        results.map((result, rank) => [
          result.id,
          { min_score: rank * questions, max_score: rank * questions + questions - 1 },
        ]),
      ),
    },
  })
  await client.quizzes.publish({ id })
  return id
}
