import { randomUUID } from 'node:crypto'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Answer, createNetwork, send } from '../runner/requests.ts'
import { createSceneAttacks, type SceneAttack, sendEach } from '../runner/scene-attacks.ts'
import { type CampaignScene, expectRefusal, openCampaignScene } from './campaign-scene.ts'

/** Attacks on the links of invited people. */

const stateOf = async ({ call, path }: CampaignScene): Promise<unknown> => {
  const { json } = await call(`${path}/people`)
  const [person] = json.people as { state?: string }[]
  return person?.state
}

/** Returns a line unless the victim is still in a state before a reply. */
const expectUntouched = async (scene: CampaignScene): Promise<string[]> => {
  const state = await stateOf(scene)
  return state === 'invited' ? [] : [`the victim is ${state}`]
}

const answersOf = ({ quiz, victim }: Pick<CampaignScene, 'quiz' | 'victim'>) => ({
  [quiz.question_id]: quiz.answer_ids[0],
  [quiz.open_id]: victim,
})

/** Submits a reply with a token. */
const replyWith = (scene: CampaignScene, token: string, fields: object = {}): Promise<Answer> => {
  const { site, quiz } = scene
  const body = {
    answers: answersOf(scene),
    participant_uuid: randomUUID(),
    run_secret: randomUUID(),
    ...fields,
  }
  const network = createNetwork()
  return send(`${site.origin}/api/v1/quizzes/${quiz.id}/i/${token}/submit`, { body, network })
}

/** Ways to guess a token from what a stranger may know. */
const guessesOf = ({ token, person_id, quiz }: CampaignScene): string[] => [
  person_id,
  person_id.replaceAll('-', '').slice(0, 22),
  quiz.id,
  `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`,
  token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
  `${token}A`,
  token.slice(0, -1),
  'A'.repeat(22),
  'A'.repeat(9_000),
  '%00'.repeat(22),
  '..%2f..%2f',
  "' or 1=1 --",
]

const LINK_ATTACKS: SceneAttack<CampaignScene>[] = [
  [
    'a mail scanner that opens the link of an invited person changes the state',
    async (scene) => {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])
        for (const rest of ['', '?step=opened', '/refus', '/refus?action=refuser'])
          await send(scene.link + rest, { method })
      return expectUntouched(scene)
    },
  ],
  [
    'a guessed token opens the page of an invited person, replies or refuses',
    async (scene) => {
      const { site, quiz } = scene
      const page = `${site.origin}/q/${quiz.id}/i`
      const guesses = guessesOf(scene)
      const opened = await sendEach(guesses, (guess) => send(`${page}/${guess}`), expectRefusal)
      const replied = await sendEach(
        guesses,
        (guess) => replyWith(scene, encodeURIComponent(guess)),
        expectRefusal,
      )
      const refused = await sendEach(
        guesses,
        (guess) => send(`${page}/${guess}/refus`, { method: 'POST' }),
        expectRefusal,
      )
      return [...opened, ...replied, ...refused, ...(await expectUntouched(scene))]
    },
  ],
  [
    'the token of an invited person opens other pages, or the page of another questionnaire',
    async (scene) => {
      const { site, quiz, token, client } = scene
      const other = await publishedScoreQuiz(client)
      return sendEach(
        [
          `/q/${other.id}/i/${token}`,
          `/q/${quiz.id}/ma-page/${token}`,
          `/q/${quiz.id}/rapport/${token}`,
          `/q/${quiz.id}/confirmation/${token}`,
          `/q/${quiz.id}/test/${token}`,
          `/desinscription/${token}`,
          `/api/v1/shared-statistics/${token}`,
        ],
        (path) => send(site.origin + path),
        ({ status, text }) =>
          status === 200 && !/introuvable|plus valable/i.test(text) ? 'a page' : undefined,
      )
    },
  ],
  [
    'the page of an invited person gives its link or name away',
    async ({ link, token, site }) => {
      const { headers, text } = await send(link)
      const successes: string[] = []
      if (headers.get('referrer-policy') !== 'no-referrer') successes.push('a referrer')
      if (!/no-store/.test(headers.get('cache-control') ?? '')) successes.push('a cache')
      if (!/noindex/.test(headers.get('x-robots-tag') ?? text)) successes.push('an index')
      if (site.readOutput().includes(token)) successes.push('the log has the token')
      // The address is filled in where the questionnaire asks for it, as in a prefilled link.
      return text.includes('Léa') ? [...successes, 'a name'] : successes
    },
  ],
  [
    'a hostile body on a call of an invited person does harm',
    (scene) => {
      const { site, quiz, token } = scene
      const api = `${site.origin}/api/v1/quizzes/${quiz.id}/i/${token}`
      const progressOf = (fields: object) => ({
        step: 'started',
        progress: { version: 1, page_index: 0, replies: {}, ...fields },
      })
      return sendEach(
        [
          { path: '/visit', body: { step: 'replied' } },
          { path: '/visit', body: progressOf({ page_index: 1e9 }) },
          { path: '/visit', body: progressOf({ version: -1 }) },
          { path: '/visit', body: progressOf({ replies: { ['x'.repeat(5_000)]: 'x' } }) },
          { path: '/visit', body: progressOf({ replies: { x: 'x'.repeat(1_000_000) } }) },
          { path: '/submit', body: { answers: [] } },
          { path: '/submit', body: { answers: { __proto__: 'x', x: 'y' } } },
          { path: '/resume', body: new Uint8Array(3_000_000) },
        ],
        ({ path, body }) => send(api + path, { method: 'POST', body, network: createNetwork() }),
        ({ status }) => (status < 400 ? `status ${status}` : undefined),
      )
    },
  ],
  [
    'a person replies twice with one invitation, also at the same time and from several networks',
    async (scene) => {
      const { client, quiz } = scene
      const sent = await Promise.all(
        Array.from({ length: 12 }, () => replyWith(scene, scene.token)),
      )
      for (let nr = 0; nr < 3; nr++) await replyWith(scene, scene.token)
      const { nb_responses } = (await client.quizzes.get({ id: quiz.id })).quiz
      const accepted = sent.filter(({ status }) => status === 201).length
      return nb_responses === 1 && accepted === 1 ? [] : [`${nb_responses} replies`]
    },
  ],
  [
    'replies of an unfinished run are read after the reply, or by a guessed token',
    async (scene) => {
      const { site, quiz } = scene
      const api = `${site.origin}/api/v1/quizzes/${quiz.id}/i`
      return sendEach(
        [scene.token, ...guessesOf(scene).map(encodeURIComponent)],
        (token) => send(`${api}/${token}/resume`, { method: 'POST', body: {} }),
        ({ text }) => (text.includes(quiz.question_id) ? 'replies' : undefined),
      )
    },
  ],
]

/** Attacks through the links of invited people. */
export const invitedPeople = createSceneAttacks(openCampaignScene, LINK_ATTACKS)
