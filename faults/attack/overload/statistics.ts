import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Attack, AttackContext } from '../runner/attack.ts'
import { describeStatuses, findBadRefusals } from '../runner/limits.ts'
import type { AttackRequest } from '../runner/requests.ts'
import { addLargeVersions } from './database-rows.ts'
import { measureAttack } from './measure-attack.ts'

const NB_QUIZZES = 6
const NB_VERSIONS = 60

/** Returns an attack that makes calls for each of many quizzes with large versions at once. */
const callAtOnce =
  (callsOf: (id: string) => { path: string; request?: AttackRequest }[]) =>
  async (context: AttackContext): Promise<string[]> => {
    const { site, client, call } = await context.openAccount()
    const ids: string[] = []
    for (let rank = 0; rank < NB_QUIZZES; rank++) {
      const { id } = await publishedScoreQuiz(client)
      await addLargeVersions(site, id, NB_VERSIONS)
      ids.push(id)
    }
    const { value, successes } = await measureAttack(context, () =>
      Promise.all(ids.flatMap(callsOf).map(({ path, request }) => call(path, request))),
    )
    context.note(describeStatuses(value))
    return [...successes, ...findBadRefusals(value)]
  }

/** Attacks with statistics of many versions. */
export const statisticsLoads: Attack[] = [
  {
    name: 'statistics of many versions at once',
    run: callAtOnce((id) => [
      { path: `/api/v1/quizzes/${id}/responses?figures=1` },
      { path: `/api/v1/quizzes/${id}/responses?figures=1&from=2020-01-01` },
      { path: `/api/v1/quizzes/${id}/responses?limit=50` },
      { path: `/api/v1/quizzes/${id}/key-figures` },
    ]),
  },
  {
    name: 'searches for a person who answered many versions at once',
    run: callAtOnce(() =>
      Array.from({ length: 4 }, () => ({
        path: '/api/v1/people/find',
        request: { body: { email: 'camille@exemple.fr' } },
      })),
    ),
  },
]
