import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { publishedAnonymousSondage } from '#server/testing/app/campaign-scene.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { assertPrecondition } from '../runner/attack.ts'
import { createNetwork, send } from '../runner/requests.ts'
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
  MAX_WAIT_MS,
  openCampaignScene,
  POLL_MS,
  waitForLink,
} from './campaign-scene.ts'

/** Attacks by what creators send for a campaign, and on the secrecy of anonymous replies. */

/** Lists and settings that no campaign may have. */
const WRONG_CAMPAIGNS: object[] = [
  { people: [] },
  { people: Array.from({ length: 5_001 }, (_, nr) => ({ email: `p${nr}@exemple.fr` })) },
  { people: [{ email: 'pas une adresse' }] },
  { people: [{ email: 'a@exemple.fr\r\nBcc: b@exemple.fr' }] },
  { people: [{ email: `${'a'.repeat(400)}@exemple.fr` }] },
  { people: [{ email: 'a@exemple.fr', first_name: 'x'.repeat(10_000) }] },
  { people: { length: 1e9 } },
  { may_write: false },
  { invitation_subject: 'x\r\nBcc: b@exemple.fr' },
  { invitation_text: 'x'.repeat(200_000) },
  { reminder_days: [0] },
  { reminder_days: [3, 3] },
  { reminder_days: [1, 2, 3, 4] },
  { reminder_days: [1e12] },
  { ends_at: '2001-01-01T00:00:00Z' },
  { ends_at: '9999-99-99' },
  { name: '\u0000' },
  { is_anonymous: 'yes' },
]

const INPUT_ATTACKS: SceneAttack<CampaignScene>[] = [
  [
    'a hostile list, word or date creates a campaign',
    ({ call, quiz }) =>
      sendEach(
        WRONG_CAMPAIGNS,
        (fields) =>
          call(`/api/v1/quizzes/${quiz.id}/campaigns`, {
            method: 'POST',
            body: campaignWith(fields),
          }),
        expectStatus(422, 413),
      ),
  ],
  [
    'an anonymous campaign asks who the person is',
    ({ call, quiz }) =>
      sendEach(
        [{ is_anonymous: true }],
        (fields) =>
          call(`/api/v1/quizzes/${quiz.id}/campaigns`, {
            method: 'POST',
            body: campaignWith(fields),
          }),
        expectRefusal,
      ),
  ],
  [
    'a name of the list becomes markup, a header or an insertion of the mail',
    async ({ client, site, quiz }) => {
      const email = `${randomUUID()}@exemple.fr`
      const first_name = '<script>x</script>{{lien}}[x](https://evil.example)'
      const body = campaignWith({ people: [{ email, first_name, last_name: '=1+1' }] })
      await client.campaigns.create({ id: quiz.id, body })
      await waitForLink(site, email)
      const mail = site.mails().find(({ to }) => to === email)
      const html = mail?.html ?? ''
      const successes = /<script>x|href="https:\/\/evil/.test(html) ? ['markup'] : []
      const isInserted = /i\/[\w-]{22}[^\n]*\]\(https:\/\/evil/.test(mail?.text ?? '')
      return isInserted ? [...successes, 'an insertion'] : successes
    },
  ],
  [
    'a text of the creator for the audit is stored over its limit, or over another tab',
    ({ call, path }) =>
      sendEach(
        [
          { actions_text: 'x'.repeat(1_000_000), former_text: '' },
          { actions_text: 'a', former_text: 'a text that was never stored' },
          { actions_text: 7, former_text: '' },
        ],
        (body) => call(`${path}/evidence`, { method: 'PUT', body }),
        expectStatus(409, 413, 422),
      ),
  ],
  [
    'several files for an audit are written at once, or a link is used twice',
    async ({ call, path, site }) => {
      const order = () => call(`${path}/evidence`, { method: 'POST', body: {} })
      const ordered = await Promise.all(Array.from({ length: 6 }, order))
      const nb_ordered = ordered.filter(({ status }) => status === 201).length
      const successes = nb_ordered === 1 ? [] : [`${nb_ordered} files`]
      const link = () => call(`${path}/evidence/link`, { method: 'POST', body: {} })
      let given = await link()
      for (let waited = 0; given.status >= 400 && waited < MAX_WAIT_MS; waited += POLL_MS) {
        await pause(POLL_MS)
        given = await link()
      }
      assertPrecondition(given.status < 400, 'the file was not written')
      const url = `${site.origin}${String(given.json.url)}`
      const statuses = [(await send(url)).status, (await send(url)).status]
      const forged = (await send(`${url.slice(0, -3)}AAA`)).status
      return statuses[0] === 200 && (statuses[1] ?? 0) >= 400 && forged >= 400
        ? successes
        : [...successes, `${statuses}, forged ${forged}`]
    },
  ],
]

const ANONYMOUS_ATTACKS: SceneAttack<CampaignScene>[] = [
  [
    'a creator learns from any answer what one of four people has replied in an anonymous campaign',
    async ({ client, call, site }) => {
      const quiz = await publishedAnonymousSondage(client)
      const people = Array.from({ length: 4 }, () => ({ email: `${randomUUID()}@exemple.fr` }))
      const body = campaignWith({ is_anonymous: true, people })
      const { campaign } = await client.campaigns.create({ id: quiz.id, body })
      for (const { email } of people) {
        const [, token] = await waitForLink(site, email)
        const answers = { [quiz.question_id]: quiz.answer_ids[0] }
        const sent = await send(`${site.origin}/api/v1/quizzes/${quiz.id}/i/${token}/submit`, {
          body: { answers, participant_uuid: randomUUID(), run_secret: RUN_SECRET },
          network: createNetwork(),
        })
        assertPrecondition(sent.status === 201, `a reply was refused: ${sent.status}`)
      }
      const api = `/api/v1/quizzes/${quiz.id}`
      return sendEach(
        [
          `${api}/responses`,
          `${api}/responses?campaign=${campaign.id}`,
          `${api}/statistics`,
          `${api}/statistics?campaign=${campaign.id}`,
          `${api}/statistics/texts`,
          `${api}/campaigns/${campaign.id}`,
          `${api}/campaigns/${campaign.id}/people`,
          `${api}/campaigns/${campaign.id}/progress`,
          '/api/v1/account/export',
        ],
        (path) => call(path),
        ({ text, json, status }, path) => {
          if (status >= 400) return undefined
          if (path.endsWith('/export')) {
            const { responses } = JSON.parse(text) as { responses: { quiz_id: string }[] }
            return responses.some(({ quiz_id }) => quiz_id === quiz.id) ? 'a reply' : undefined
          }
          return Array.isArray(json.details) && json.details.length > 0 ? 'a reply' : undefined
        },
      )
    },
  ],
]

/** Attacks by the lists, words and files of campaigns. */
export const campaignInputs = createSceneAttacks(openCampaignScene, [
  ...INPUT_ATTACKS,
  ...ANONYMOUS_ATTACKS,
])
