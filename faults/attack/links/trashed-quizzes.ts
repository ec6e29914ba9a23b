import { randomUUID } from 'node:crypto'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import { type Attack, assertPrecondition } from '../runner/attack.ts'
import { type AttackRequest, send } from '../runner/requests.ts'
import {
  createSceneAttacks,
  openQuizScene,
  type QuizScene,
  type SceneAttack,
} from '../runner/scene-attacks.ts'

/** Quiz in the trash, with what strangers know from before. */
type TrashScene = QuizScene & {
  slug: string
  shared_token: string
  test_url: string
  participant_uuid: string
  /** Access token of another creator. */
  other_token: string
}

const openTrashScene = async (
  context: Parameters<typeof openQuizScene>[0],
): Promise<TrashScene> => {
  const scene = await openQuizScene(context)
  const { client, quiz, origin } = scene
  const { id } = quiz
  const slug = `corbeille-${id.slice(-12)}`
  await client.quizzes.update({ id, body: { slug } })
  const shared_token = (await client.statisticsLinks.create({ id })).link.token
  const { url: test_url } = await client.trialRuns.link({ id })
  const participant_uuid = randomUUID()
  const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'x@exemple.fr' }
  const body = { answers, participant_uuid, run_secret: RUN_SECRET }
  const stored = await send(`${origin}/api/v1/quizzes/${id}/submit`, { method: 'POST', body })
  assertPrecondition(stored.status === 201, `the victim could not answer: ${stored.status}`)
  await client.quizzes.remove({ id })
  const other_token = await signUp(origin)
  return { ...scene, slug, shared_token, test_url, participant_uuid, other_token }
}

type Request = { path: string } & Pick<AttackRequest, 'method' | 'body' | 'token'>

/** Sends a request about the quiz in the trash. Returns the status as a success unless it is a refusal. */
const expectRefusal = async (
  { origin }: TrashScene,
  { method, path, body, token }: Request,
  refusals = [401, 403, 404, 410],
): Promise<string[]> => {
  const { status } = await send(`${origin}${path}`, { method, body, token })
  return refusals.includes(status) ? [] : [`${path}: ${status}`]
}

/** Ways to reach a quiz in the trash, each as a request that must be refused. */
const WAYS: [name: string, requestOf: (scene: TrashScene) => Request][] = [
  ['its page', ({ quiz }) => ({ path: `/q/${quiz.id}` })],
  ['its page by its own address', ({ slug }) => ({ path: `/q/${slug}` })],
  ['its page inside a frame', ({ slug }) => ({ path: `/q/${slug}?embed=1` })],
  ['its snapshot', ({ quiz }) => ({ path: `/api/v1/quizzes/${quiz.id}/snapshot` })],
  ['its social image', ({ quiz }) => ({ path: `/q/${quiz.id}/image-1.png` })],
  [
    'its oEmbed description',
    ({ origin, quiz }) => ({
      path: `/oembed?url=${encodeURIComponent(`${origin}/q/${quiz.id}`)}`,
    }),
  ],
  [
    'a new submission',
    ({ quiz }) => ({
      method: 'POST',
      path: `/api/v1/quizzes/${quiz.id}/submit`,
      body: {
        answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '' },
        participant_uuid: randomUUID(),
      },
    }),
  ],
  [
    'the end of a run without scripts',
    ({ quiz, participant_uuid }) => ({
      path: `/q/${quiz.id}/resultat?participant=${participant_uuid}&secret=${RUN_SECRET}`,
    }),
  ],
  [
    'its shared statistics',
    ({ shared_token }) => ({ path: `/api/v1/shared-statistics/${shared_token}` }),
  ],
  ['its test link', ({ test_url, origin }) => ({ path: test_url.replace(origin, '') })],
  [
    'a restoration by another creator',
    ({ quiz, other_token: token }) => ({
      method: 'POST',
      path: `/api/v1/quizzes/${quiz.id}/restore`,
      body: {},
      token,
    }),
  ],
  [
    'a permanent deletion by another creator',
    ({ quiz, other_token: token }) => ({
      method: 'DELETE',
      path: `/api/v1/quizzes/${quiz.id}?permanently=1`,
      token,
    }),
  ],
  [
    'a duplicate by its creator',
    ({ quiz, access_token: token }) => ({
      method: 'POST',
      path: `/api/v1/quizzes/${quiz.id}/duplicate`,
      body: {},
      token,
    }),
  ],
]

const emptyOtherTrash = async ({ origin, client, other_token }: TrashScene): Promise<string[]> => {
  await clientOf(origin, other_token).trash.empty()
  const { nb_trashed } = await client.quizzes.list()
  return nb_trashed === 1 ? [] : ['another creator emptied the trash']
}

const takeSlug = async ({ origin, slug, other_token }: TrashScene): Promise<string[]> => {
  const client = clientOf(origin, other_token)
  const { quiz } = await client.quizzes.create({ body: { name: 'Voleur', type: 'quiz' } })
  const taken = await client.quizzes
    .update({ id: quiz.id, body: { slug } })
    .then(() => true)
    .catch(() => false)
  return taken ? ['another creator took the address of a quiz in the trash'] : []
}

const attacks: SceneAttack<TrashScene>[] = [
  ...WAYS.map(
    ([name, requestOf]): SceneAttack<TrashScene> => [
      `a quiz in the trash is reached through ${name}`,
      (scene) => expectRefusal(scene, requestOf(scene)),
    ],
  ),
  ['another creator empties the trash of the victim', emptyOtherTrash],
  ['another creator takes the address of a quiz in the trash', takeSlug],
]

/** Attacks on quizzes in the trash. */
export const trashedQuizzes: Attack[] = createSceneAttacks(openTrashScene, attacks)
