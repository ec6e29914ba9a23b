import { randomUUID } from 'node:crypto'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import { type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { type Answer, send } from '../runner/requests.ts'
import {
  createSceneAttacks,
  openQuizScene,
  type QuizScene,
  type SceneAttack,
  sendEach,
} from '../runner/scene-attacks.ts'

/** Attacks on the second consent, about openings and clicks. */

/** Quiz with the second box, and the page of a victim who accepted. */
type Scene = QuizScene & {
  participant_uuid: string
  own_page: string
  other_token: string
}

const VICTIM = 'victime-mesure@exemple.fr'

const submit = async (
  { origin, quiz }: Pick<Scene, 'origin' | 'quiz'>,
  fields: Record<string, unknown>,
): Promise<Answer> => {
  const answers = { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: VICTIM }
  const body = { answers, participant_uuid: randomUUID(), run_secret: RUN_SECRET, ...fields }
  return send(`${origin}/api/v1/quizzes/${quiz.id}/submit`, { method: 'POST', body })
}

const openScene = async (context: AttackContext): Promise<Scene> => {
  const scene = await openQuizScene(context)
  const { client, quiz, origin } = scene
  await client.quizMails.set({ id: quiz.id, body: { sends_result: true } })
  await client.quizzes.update({ id: quiz.id, body: { measure_consent: true, keeps_page: true } })
  const { json } = await submit(scene, { measure_version: 1 })
  const { own_page } = (json.documents ?? {}) as { own_page?: string }
  assertPrecondition(own_page !== undefined, 'the victim has no page')
  return {
    ...scene,
    participant_uuid: String(json.participant_uuid),
    own_page: `${origin}${own_page ?? ''}`,
    other_token: await signUp(origin),
  }
}

const consentOf = async (
  { client, quiz }: Scene,
  participantId: string,
): Promise<boolean | undefined> =>
  (await client.participants.explain({ id: quiz.id, participantId })).participant.measure_consent
    ?.is_given

/** Returns a line if the victim no longer agrees. */
const expectGiven = async (scene: Scene): Promise<string[]> =>
  (await consentOf(scene, scene.participant_uuid)) === true ? [] : ['the consent is withdrawn']

const postPage = (url: string, action = 'mesure', headers: Record<string, string> = {}) =>
  send(url, { body: new URLSearchParams({ action }), headers })

const ATTACKS: SceneAttack<Scene>[] = [
  [
    'a submission gives the second consent with a wording that was never shown',
    async (scene) => {
      const successes: string[] = []
      for (const measure_version of [2, 99, 2_147_483_647]) {
        const { json } = await submit(scene, { measure_version })
        const given = await consentOf(scene, String(json.participant_uuid))
        if (given !== false) successes.push(`version ${measure_version}: ${given}`)
      }
      return successes
    },
  ],
  [
    'a submission with a hostile version is stored',
    (scene) =>
      sendEach(
        [-1, 1.5, '1', true, [1], { $gt: 0 }, 2 ** 53, 'm1'],
        (measure_version) => submit(scene, { measure_version }),
        ({ status }) => (status === 422 ? undefined : `status ${status}`),
      ),
  ],
  [
    'a form without scripts gives the second consent by hostile values of its box',
    async (scene) => {
      const { origin, quiz } = scene
      const successes: string[] = []
      for (const consent of ['m', 'm0', 'm-1', 'm1e3', 'mm1', 'm٢', '1', 'm99999999999999999999']) {
        const participant_uuid = randomUUID()
        const { status } = await send(`${origin}/q/${quiz.id}/resultat?version=1`, {
          body: new URLSearchParams([
            [quiz.question_id, String(quiz.answer_ids[0])],
            [quiz.open_id, VICTIM],
            ['consent', consent],
            ['participant_uuid', participant_uuid],
            ['run_secret', RUN_SECRET],
          ]),
        })
        if (status >= 500) successes.push(`${consent}: status ${status}`)
        else if (status === 303 && (await consentOf(scene, participant_uuid)) === true)
          successes.push(`${consent}: accepted`)
      }
      return successes
    },
  ],
  [
    'a repeated submission of a victim changes the second consent',
    async (scene) => {
      const { participant_uuid } = scene
      for (const measure_version of [0, undefined, 1])
        await submit(scene, { participant_uuid, measure_version, run_secret: undefined })
      await submit(scene, { participant_uuid, measure_version: 0 })
      return expectGiven(scene)
    },
  ],
  [
    'a link that is opened withdraws the second consent',
    async (scene) => {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])
        await send(`${scene.own_page}?action=mesure&_method=POST`, { method })
      return expectGiven(scene)
    },
  ],
  [
    'a stranger without the link withdraws the second consent',
    async (scene) => {
      const { origin, quiz, participant_uuid, own_page } = scene
      const token = own_page.split('/').at(-1) ?? ''
      const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
      for (const guess of [participant_uuid, changed, '', 'A'.repeat(5_000), `${token}x`])
        await postPage(`${origin}/q/${quiz.id}/ma-page/${guess}`)
      return expectGiven(scene)
    },
  ],
  [
    'a page of another site withdraws the second consent',
    async (scene) => {
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      const { status } = await postPage(scene.own_page, 'mesure', headers)
      return [...(await expectGiven(scene)), ...(status < 400 ? [`status ${status}`] : [])]
    },
  ],
  [
    'a hostile action on the page of a participant does harm',
    (scene) =>
      sendEach(
        ['mesure ', 'MESURE', 'mesure\0', '__proto__', 'constructor', '', 'x'.repeat(50_000)],
        (action) => postPage(scene.own_page, action),
        ({ status }) => (status >= 400 ? undefined : `status ${status}`),
      ),
  ],
  [
    'another creator reads or changes the second consent',
    (scene) => {
      const api = `${scene.origin}/api/v1/quizzes/${scene.quiz.id}`
      return sendEach(
        [
          { path: `${api}/participants/${scene.participant_uuid}` },
          {
            path: `${api}/field-mappings`,
            method: 'POST',
            body: { provider: 'brevo', source: 'measure', field_name: 'SUIVI' },
          },
          { path: api, method: 'PUT', body: { measure_consent: false } },
          { path: `${api}/responses` },
        ],
        ({ path, ...request }) => send(path, { ...request, token: scene.other_token }),
        ({ status }) => (status === 404 ? undefined : `status ${status}`),
      )
    },
  ],
  [
    'a hostile wording becomes markup, or is stored over its limit',
    async (scene) => {
      const api = `${scene.origin}/api/v1/quizzes/${scene.quiz.id}`
      const token = scene.access_token
      const change = (measure_text: unknown) =>
        send(api, { method: 'PUT', token, body: { measure_text } })
      const successes = await sendEach(['x'.repeat(100_000), 7, ['a'], {}], change, ({ status }) =>
        status === 422 ? undefined : `status ${status}`,
      )
      await change('<script>x</script><img src=x onerror=x>')
      const { text } = await send(`${scene.origin}/q/${scene.quiz.id}?t=${Date.now()}`)
      return /<script>x|<img src=x/.test(text) ? [...successes, 'markup'] : successes
    },
  ],
  [
    'a victim who withdraws keeps agreeing, or agrees again by a repeated submission',
    async (scene) => {
      const { participant_uuid, own_page } = scene
      await Promise.all([postPage(own_page), postPage(own_page), postPage(own_page)])
      await submit(scene, { participant_uuid, measure_version: 1 })
      const given = await consentOf(scene, participant_uuid)
      return given === false ? [] : [`is_given: ${given}`]
    },
  ],
  [
    'the second consent of a victim appears in answers to strangers',
    async (scene) => {
      const { origin, quiz } = scene
      const client = clientOf(origin, scene.other_token)
      const { quizzes } = await client.quizzes.list({})
      const { text } = await send(`${origin}/api/v1/quizzes/${quiz.id}/snapshot`)
      const successes = quizzes.some(({ id }) => id === quiz.id) ? ['the quiz is listed'] : []
      return /measure_version|withdrawn_measure|victime/.test(text)
        ? [...successes, 'the snapshot tells of participants']
        : successes
    },
  ],
]

/** Attacks on the second consent. */
export const measureConsentAttacks = createSceneAttacks(openScene, ATTACKS)
