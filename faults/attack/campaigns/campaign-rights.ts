import { randomUUID } from 'node:crypto'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type AttackRequest, send } from '../runner/requests.ts'
import {
  createSceneAttacks,
  expectStatus,
  type SceneAttack,
  sendEach,
} from '../runner/scene-attacks.ts'
import {
  type CampaignScene,
  campaignWith,
  expectRefusal,
  openCampaignScene,
} from './campaign-scene.ts'

/** Attacks on the rights of creators over campaigns, comparisons and files for an audit. */

type Call = { rest: string; method?: string; body?: object }
/** Calls on a campaign that only its creator may make. */
const callsOf = ({ person_id }: CampaignScene): Call[] => {
  const people = [{ email: 'attaque@exemple.fr' }]
  return [
    { rest: '' },
    { rest: '', method: 'PUT', body: { status: 'ended' } },
    { rest: '', method: 'DELETE' },
    { rest: '/people' },
    { rest: '/people', method: 'POST', body: { people, may_write: true } },
    { rest: `/people/${person_id}`, method: 'DELETE' },
    { rest: `/people/${person_id}`, method: 'PUT', body: { email: 'attaque@exemple.fr' } },
    { rest: '/progress' },
    { rest: '/progress', method: 'POST', body: { format: 'csv' } },
    { rest: '/before', method: 'PUT', body: { before_campaign_id: null } },
    { rest: '/evidence' },
    { rest: '/evidence', method: 'PUT', body: { actions_text: 'x', former_text: '' } },
    { rest: '/evidence', method: 'POST', body: {} },
    { rest: '/evidence', method: 'DELETE' },
    { rest: '/evidence/link', method: 'POST', body: {} },
  ]
}

const requestOf = ({ method, body }: Call): AttackRequest => ({ method, body })

const RIGHTS_ATTACKS: SceneAttack<CampaignScene>[] = [
  [
    'another creator reads or changes a campaign, its people, its comparison or its file',
    (scene) =>
      sendEach(
        callsOf(scene),
        (call) => scene.stranger.call(scene.path + call.rest, requestOf(call)),
        expectStatus(404),
      ),
  ],
  [
    'a stranger without an account reads or changes a campaign',
    (scene) =>
      sendEach(
        callsOf(scene),
        (call) => send(scene.site.origin + scene.path + call.rest, requestOf(call)),
        expectStatus(401),
      ),
  ],
  [
    'a campaign of another questionnaire of the stranger is reached through the stranger’s own questionnaire',
    async (scene) => {
      const own = await publishedScoreQuiz(scene.stranger.client)
      const campaign_id = scene.path.split('/').at(-1)
      const path = `/api/v1/quizzes/${own.id}/campaigns/${campaign_id}`
      return sendEach(
        callsOf(scene),
        (call) => scene.stranger.call(path + call.rest, requestOf(call)),
        expectStatus(404),
      )
    },
  ],
  [
    'a key gets the link of a person, or the file for an audit',
    async (scene) => {
      const body = { name: 'x', scope: 'écriture' as const, expires_in_days: 30 as const }
      const token = (await scene.client.apiKeys.create({ body })).secret
      const ask = ({ rest, ...call }: Call) =>
        send(scene.site.origin + scene.path + rest, { ...requestOf({ rest, ...call }), token })
      const readable = callsOf(scene).filter(({ method }) => method === undefined)
      return sendEach(readable, ask, ({ text, status }, { rest }) => {
        if (rest.startsWith('/evidence')) return status < 400 ? `status ${status}` : undefined
        return text.includes(scene.token) || /\/i\/[\w-]{22}/.test(text) ? 'a link' : undefined
      })
    },
  ],
  [
    'a campaign is compared with a campaign of another creator, or with itself',
    async (scene) => {
      const { stranger, path, call } = scene
      const quiz = await publishedScoreQuiz(stranger.client)
      const theirs = await stranger.client.campaigns.create({
        id: quiz.id,
        body: campaignWith({}),
      })
      const own = path.split('/').at(-1) ?? ''
      const ids = [theirs.campaign.id, own, randomUUID()]
      const read = await sendEach(
        ids,
        (id) => call(`${path}/progress?before=${id}`),
        ({ status, json }) => (status < 400 && json.progress ? 'a comparison' : undefined),
      )
      const named = await sendEach(
        ids,
        (before_campaign_id) =>
          call(`${path}/before`, { method: 'PUT', body: { before_campaign_id } }),
        expectRefusal,
      )
      return [...read, ...named]
    },
  ],
]

/** Attacks of strangers, other creators and keys on campaigns. */
export const campaignRights = createSceneAttacks(openCampaignScene, RIGHTS_ATTACKS)
