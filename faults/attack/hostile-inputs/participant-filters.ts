import { publishDimensionQuiz } from '#server/testing/quizzes/dimension-quiz.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import { type Answer, callInParallel, send } from '../runner/requests.ts'
import {
  createSceneAttacks,
  expectStatus,
  openQuizScene,
  type QuizScene,
  type SceneAttack,
  sendEach,
} from '../runner/scene-attacks.ts'

/** Attacks on the filters by percent and certificate, and on rules for several results. */

/** Filters by percent that are reversed, too long or written in another form. */
const INVALID_PERCENTS = [
  'score',
  'score:',
  'score:50',
  'score:-1-50',
  'score:50-40',
  'score:0-101',
  'score:0-1000',
  'score:0.5-1',
  'score:1e1-20',
  'score:٥-٩',
  'score:0-50,',
  'score:0-50;drop table quizzes',
  "score:0-50' or '1'='1",
  'constructor:0-50',
  '__proto__:0-50',
  'SCORE:0-50',
  'score:0-50\u0000',
  `${'score:0-50,'.repeat(2_000)}score:0-50`,
  `${'0'.repeat(50_000)}:0-50`,
]
const INVALID_CERTIFICATES = ['yes', 'DELIVERED', 'delivered,none', 'null', 'constructor', '1']

const read = (scene: QuizScene, query: string): Promise<Answer> =>
  send(`${scene.origin}/api/v1/quizzes/${scene.quiz.id}/responses?figures=1&${query}`, {
    token: scene.access_token,
  })

const addRule = (scene: QuizScene, id: string, body: object): Promise<Answer> =>
  send(`${scene.origin}/api/v1/quizzes/${id}/automations`, { body, token: scene.access_token })

/** Returns a line if a page has participants although no participant can match. */
const findParticipants = ({ status, text }: Answer): string | undefined => {
  if (status === 422) return undefined
  const { details } = JSON.parse(text) as { details?: unknown[] }
  return status === 200 && details?.length === 0 ? undefined : `status ${status}`
}

const FILTER_ATTACKS: SceneAttack<QuizScene>[] = [
  [
    'a filter by percent is read in another form than the documented one',
    (scene) =>
      sendEach(
        INVALID_PERCENTS,
        (percent) => read(scene, `percent=${encodeURIComponent(percent)}`),
        expectStatus(414, 422, 431),
      ),
  ],
  [
    'a filter by certificate has another value than the documented ones',
    (scene) =>
      sendEach(
        INVALID_CERTIFICATES,
        (value) => read(scene, `certificate=${encodeURIComponent(value)}`),
        expectStatus(422),
      ),
  ],
  [
    'a repeated filter breaks the statistics',
    (scene) =>
      sendEach(
        [
          'percent=score:0-50&percent=score:51-100',
          'percent[]=score:0-50',
          'percent[subject]=score',
          'certificate=delivered&certificate=none',
        ],
        (query) => read(scene, query),
        () => undefined,
      ),
  ],
  [
    'a filter by a dimension of another quiz finds participants',
    async (scene) => {
      const foreign = await publishDimensionQuiz(clientOf(scene.origin, await signUp(scene.origin)))
      const { dimensions } = await scene.client.publicQuiz
        .snapshot({ id: foreign.id })
        .then(({ snapshot }) => ({ dimensions: snapshot.dimensions ?? [] }))
      return sendEach(
        dimensions.map(({ id }) => id),
        (id) => read(scene, `percent=${id}:0-100`),
        findParticipants,
      )
    },
  ],
  [
    'the statistics of another account are read through the new filters',
    async (scene) => {
      const other = await publishedScoreQuiz(clientOf(scene.origin, await signUp(scene.origin)))
      return sendEach(
        ['percent=score:0-100', 'certificate=none', 'certificate=delivered'],
        (query) =>
          send(`${scene.origin}/api/v1/quizzes/${other.id}/responses?figures=1&${query}`, {
            token: scene.access_token,
          }),
        expectStatus(404),
      )
    },
  ],
  [
    'a filtered export is made without an account, or of the quiz of another account',
    async (scene) => {
      const other = await publishedScoreQuiz(clientOf(scene.origin, await signUp(scene.origin)))
      const exportOf = (id: string) => `${scene.origin}/api/v1/quizzes/${id}/exports`
      const bodies = ['csv', 'xlsx', 'json'].map((format) => ({ format, percent: 'score:0-100' }))
      return [
        ...(await sendEach(
          bodies,
          (body) => send(exportOf(scene.quiz.id), { body }),
          expectStatus(401),
        )),
        ...(await sendEach(
          bodies,
          (body) => send(exportOf(other.id), { body, token: scene.access_token }),
          expectStatus(404, 422),
        )),
      ]
    },
  ],
  [
    'a rule is added for a result of another quiz or account',
    async (scene) => {
      const own = await publishedScoreQuiz(scene.client)
      const foreign = await publishedScoreQuiz(clientOf(scene.origin, await signUp(scene.origin)))
      return sendEach(
        [...own.result_ids, ...foreign.result_ids],
        (result_id) =>
          addRule(scene, scene.quiz.id, { provider: 'brevo', result_id, label_name: 'Liste' }),
        expectStatus(404, 422),
      )
    },
  ],
  [
    'two presses at once add two rules for one result',
    async (scene) => {
      const { id, result_ids } = await publishedScoreQuiz(scene.client)
      const [result_id = ''] = result_ids
      await callInParallel(8, () =>
        addRule(scene, id, { provider: 'brevo', result_id, label_name: 'Quiz – Résultat' }),
      )
      const { automations } = await scene.client.automations.list({ id })
      return automations.length > 1 ? [`${automations.length} rules`] : []
    },
  ],
]

export const participantFilters = createSceneAttacks(openQuizScene, FILTER_ATTACKS)
