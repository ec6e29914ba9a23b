import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import type { Account } from '../runner/measured-site.ts'
import { createNetwork, send, submit } from '../runner/requests.ts'

/** Quiz that asks for confirmations, and its victim, whose mailbox the attacker cannot read. */
type ConfirmationScene = Account & { quiz: SampleQuiz; participant_uuid: string; link: string }

/** Variant of an attack; returns true if the attacker has success. */
type Variant = [name: string, succeeds: (scene: ConfirmationScene) => Promise<boolean>]

const VICTIM = 'victime-confirmation@exemple.fr'
const LINK = /https?:\/\/\S+\/confirmation\/[\w-]+/
const POLL_MS = 200
const MAX_WAIT_MS = 60_000

/** Submits an address and returns the id of the participant. */
const join = async (
  { site, quiz }: Pick<ConfirmationScene, 'site' | 'quiz'>,
  email: string,
): Promise<string> => {
  const answers = { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: email }
  const answer = await submit(site.origin, quiz.id, { answers }, createNetwork())
  return String(answer.json.participant_uuid)
}

const openScene = async ({ openAccount }: AttackContext): Promise<ConfirmationScene> => {
  const account = await openAccount()
  const { site, client } = account
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.update({ id: quiz.id, body: { confirms_email: true } })
  const before = site.mails().length
  const participant_uuid = await join({ site, quiz }, VICTIM)
  let link: string | undefined
  for (let waited = 0; !link && waited < MAX_WAIT_MS; waited += POLL_MS) {
    await pause(POLL_MS)
    link = site
      .mails()
      .slice(before)
      .flatMap(({ to, text }) => (to === VICTIM ? (LINK.exec(text)?.[0] ?? []) : []))[0]
  }
  assertPrecondition(link !== undefined, 'no confirmation was mailed')
  return { ...account, quiz, participant_uuid, link: link ?? '' }
}

const stateOf = async ({ client, quiz, participant_uuid }: ConfirmationScene) => {
  const { details } = await client.statistics.responses({ id: quiz.id })
  return details.find((one) => one.participant_uuid === participant_uuid)?.email_confirmation
}
const isConfirmed = async (scene: ConfirmationScene): Promise<boolean> =>
  (await stateOf(scene)) !== 'waiting'

/** Sends a request to the link, or to a changed link, and tells whether the address is confirmed or the page is open. */
const post = (url: string, headers: Record<string, string> = {}) =>
  send(url, { method: 'POST', headers })

const tokenOf = ({ link }: ConfirmationScene): string => link.split('/').at(-1) ?? ''
const pathOf = ({ site, quiz }: ConfirmationScene, rest: string): string =>
  `${site.origin}/q/${quiz.id}/${rest}`

/** Requests of mail scanners, which open every link of a mail. */
const SCANNERS: Variant[] = (['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'] as const).flatMap(
  (method) =>
    ['', '?confirm=1&action=confirmer&_method=POST'].map(
      (query): Variant => [
        `${method} ${query}`,
        async (scene) => {
          const headers = { 'x-http-method-override': 'POST' }
          await send(scene.link + query, { method, headers })
          return isConfirmed(scene)
        },
      ],
    ),
)

/** Ways to confirm without the mail. */
const GUESSES: Variant[] = [
  [
    'the id of the participant as the token',
    async (scene) =>
      (await post(pathOf(scene, `confirmation/${scene.participant_uuid}`))).status < 400,
  ],
  [
    'a token with another last letter',
    async (scene) => {
      const token = tokenOf(scene)
      const last = token.endsWith('A') ? 'B' : 'A'
      return (await post(pathOf(scene, `confirmation/${token.slice(0, -1)}${last}`))).status < 400
    },
  ],
  ['an empty token', async (scene) => (await post(pathOf(scene, 'confirmation/'))).status < 400],
  [
    'a token of 100,000 letters',
    async (scene) => (await post(pathOf(scene, `confirmation/${'A'.repeat(10_000)}`))).status < 400,
  ],
  [
    'the token of another questionnaire',
    async (scene) => {
      const other = await publishedScoreQuiz(scene.client)
      const url = `${scene.site.origin}/q/${other.id}/confirmation/${tokenOf(scene)}`
      return (await post(url)).status < 400
    },
  ],
  ...['ma-page', 'rapport', 'attestation'].map(
    (segment): Variant => [
      `the token at the address of ${segment}`,
      async (scene) => (await send(pathOf(scene, `${segment}/${tokenOf(scene)}`))).status < 400,
    ],
  ),
  [
    'the token ends the mails of the creator',
    async (scene) =>
      (await post(`${scene.site.origin}/desinscription/${tokenOf(scene)}`)).status < 400,
  ],
  [
    'the answer to the submission contains the link or the address',
    async (scene) => {
      const { site, quiz } = scene
      const email = 'autre-victime@exemple.fr'
      const answers = { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: email }
      const { text } = await submit(site.origin, quiz.id, { answers }, createNetwork())
      return text.includes('/confirmation/') || text.includes(email)
    },
  ],
  [
    'a key that may read gets the link',
    async ({ call, quiz }) => {
      const { text } = await call(`/api/v1/quizzes/${quiz.id}/responses?figures=1&outcomes=1`)
      return text.includes('/confirmation/')
    },
  ],
  [
    'a second response with a confirmed address counts as confirmed',
    async (scene) => {
      await post(scene.link)
      const participant_uuid = await join(scene, VICTIM)
      return (await stateOf({ ...scene, participant_uuid })) !== 'waiting'
    },
  ],
]

/** Properties that a page of a link must not lack. */
const PAGES: Variant[] = [
  [
    'the page is kept in a cache, indexed or named to other sites',
    async ({ link }) => {
      const { headers } = await send(link)
      return (
        headers.get('cache-control') !== 'no-store' ||
        headers.get('x-robots-tag') !== 'noindex' ||
        headers.get('referrer-policy') !== 'no-referrer' ||
        headers.get('set-cookie') !== null
      )
    },
  ],
  [
    'another site frames the button',
    async ({ link }) => {
      const { headers } = await send(link)
      const policy = headers.get('content-security-policy') ?? ''
      return !/frame-ancestors 'none'/.test(policy) && headers.get('x-frame-options') === null
    },
  ],
  ['the token is in the log', async (scene) => scene.site.readOutput().includes(tokenOf(scene))],
  [
    'a body of megabytes is read',
    // The server may close the connection before the end of the body, which is a refusal too.
    ({ link }) =>
      send(link, { method: 'POST', body: new Uint8Array(3_000_000) }).then(
        ({ status }) => status < 400,
        () => false,
      ),
  ],
]

const runVariants = async (
  context: AttackContext,
  variants: readonly Variant[],
): Promise<string[]> => {
  const scene = await openScene(context)
  const successes: string[] = []
  for (const [name, succeeds] of variants) if (await succeeds(scene)) successes.push(name)
  context.note(`${variants.length} variants`)
  return successes
}

/** Attacks on the links with which participants confirm their address. */
export const confirmationAttacks: Attack[] = [
  {
    name: 'a mail scanner confirms an address',
    run: (context) => runVariants(context, SCANNERS),
  },
  {
    name: 'a stranger without the mail confirms an address',
    run: (context) => runVariants(context, GUESSES),
  },
  {
    name: 'the page of a confirmation gives its link away',
    run: (context) => runVariants(context, PAGES),
  },
]
