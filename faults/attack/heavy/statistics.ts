import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Attack, AttackContext } from '../attack.ts'
import { addLargeVersions } from './downloads.ts'
import {
  type Answer,
  type Attacker,
  callAs,
  countStatuses,
  createAttacker,
  judgeAnswers,
  measureAttack,
} from './heavy-scenes.ts'

const NB_QUIZZES = 6
const NB_VERSIONS = 60

/** Creates quizzes with large versions, each of which one person answered. */
const createQuizzes = async ({ site, client }: Attacker): Promise<string[]> => {
  const ids: string[] = []
  for (let rank = 0; rank < NB_QUIZZES; rank++) {
    const { id } = await publishedScoreQuiz(client)
    await addLargeVersions(site, id, NB_VERSIONS)
    ids.push(id)
  }
  return ids
}

/** Returns an attack that calls the API for each of many quizzes with large versions at once. */
const readAtOnce =
  (callsOf: (id: string) => { method?: string; path: string; body?: unknown }[]) =>
  async (context: AttackContext): Promise<string[]> => {
    const attacker = await createAttacker(context)
    const { site, access_token: token } = attacker
    const ids = await createQuizzes(attacker)
    const { value, successes } = await measureAttack(context, () =>
      Promise.all(
        ids.flatMap(callsOf).map((call): Promise<Answer> => callAs(site, { ...call, token })),
      ),
    )
    context.note(countStatuses(value))
    return [...successes, ...judgeAnswers(value)]
  }

/** Attacks with statistics of many versions. */
export const statisticsLoads: Attack[] = [
  {
    name: 'statistics of many versions at once',
    run: readAtOnce((id) => [
      { path: `/api/v1/quizzes/${id}/responses?figures=1` },
      { path: `/api/v1/quizzes/${id}/responses?figures=1&from=2020-01-01` },
      { path: `/api/v1/quizzes/${id}/responses?limit=50` },
      { path: `/api/v1/quizzes/${id}/key-figures` },
    ]),
  },
  {
    name: 'searches for a person who answered many versions at once',
    run: readAtOnce(() =>
      Array.from({ length: 4 }, () => ({
        method: 'POST',
        path: '/api/v1/people/find',
        body: { email: 'camille@exemple.fr' },
      })),
    ),
  },
]
