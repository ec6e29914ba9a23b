import type { Client } from '#contract/client/client.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import type { AttackContext } from '../runner/attack.ts'
import { send } from '../runner/requests.ts'
import { createSceneAttacks, type SceneAttack } from '../runner/scene-attacks.ts'

/** Attacks on the name of the sender, on addresses for replies and on what a result mail shows. */

type Scene = {
  origin: string
  token: string
  client: Client
  other: Client
  quiz_id: string
  /** Quiz of the other creator. */
  other_quiz_id: string
}

const openScene = async ({ configuredSite }: AttackContext): Promise<Scene> => {
  const { origin } = await configuredSite('without_confirmation')
  const token = await signUp(origin)
  const [client, other] = [clientOf(origin, token), clientOf(origin, await signUp(origin))]
  const { id: quiz_id } = await publishedScoreQuiz(client)
  const { id: other_quiz_id } = await publishedScoreQuiz(other)
  return { origin, token, client, other, quiz_id, other_quiz_id }
}

/** Returns the status of a call: 200 if it was accepted. */
const statusOf = async (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: { status?: number }) => error.status ?? 0,
  )

/** Returns the values that a call accepted, or answered with a failure of the server. */
const accepted = async <Value>(
  values: readonly Value[],
  call: (value: Value) => Promise<unknown>,
): Promise<string[]> => {
  const successes: string[] = []
  for (const value of values) {
    const status = await statusOf(call(value))
    if (status < 400 || status >= 500) successes.push(`${status} for ${JSON.stringify(value)}`)
  }
  return successes
}

const FRAUD = [
  'Banque de France',
  'Bаnque dе Frаnce',
  'La Poste',
  'L\u200ba\u200bP\u200bo\u200bs\u200bt\u200be',
  'lmpôts gouv',
  'ⒶⓜⒺⓁⓘ',
  'PayPaI',
  'P.a.y.P.a.l',
  'Ρаураl',
  '\u202elaPyaP PayPal',
  '𝗔𝗺𝗮𝘇𝗼𝗻',
  'Quizaine support',
]
const ADDRESSES = [
  'Camille <camille@exemple.fr>',
  'camille＠exemple．fr',
  'exemple\u00ad.fr',
  'https://exemple.fr',
  'www。exemple。fr',
  'a@b.fr, c@d.fr',
]
const MAILBOXES = [
  'camille',
  'camille@localhost',
  'camille@[127.0.0.1]',
  'a@b.fr\r\nBcc: c@d.fr',
  'a@b.fr,c@d.fr',
  'Camille <a@b.fr>',
  '"a b"@exemple.fr',
  `${'a'.repeat(300)}@exemple.fr`,
]

const ATTACKS: SceneAttack<Scene>[] = [
  [
    'the name of an account claims to be a bank or an authority',
    ({ client }) =>
      accepted(FRAUD, (sender_name) => client.mailSender.set({ body: { sender_name } })),
  ],
  [
    'the name of a quiz claims to be a bank or an authority',
    ({ client, quiz_id: id }) =>
      accepted(FRAUD, (sender_name) => client.quizzes.update({ id, body: { sender_name } })),
  ],
  [
    'an imported text gives a quiz the name of a bank',
    ({ client }) =>
      accepted(FRAUD, (name) => {
        const text = `# Mon quiz\nType : quiz\nNom de l’expéditeur : ${name}`
        return client.quizzes.importText({ body: { text } })
      }),
  ],
  [
    'the name of a sender contains an address or a link',
    ({ client }) =>
      accepted(ADDRESSES, (sender_name) => client.mailSender.set({ body: { sender_name } })),
  ],
  [
    'a name of combining marks blocks the server',
    async ({ client, origin }) => {
      const names = ['\u0327\u0301'.repeat(30), '\u3099'.repeat(60), '\ufdfa'.repeat(60)]
      const began = performance.now()
      for (const sender_name of names)
        await statusOf(client.mailSender.set({ body: { sender_name } }))
      const { status } = await send(`${origin}/api/v1/health`)
      const ms = performance.now() - began
      return ms > 3_000 || status >= 500 ? [`${Math.round(ms)} ms`] : []
    },
  ],
  [
    'a code goes to something that is no single mailbox',
    ({ client }) =>
      accepted(MAILBOXES, (email) => client.mailSender.addAddress({ body: { email } })),
  ],
  [
    'a guessed code confirms an address of somebody else',
    async ({ client }) => {
      const email = 'victime@exemple.fr'
      await statusOf(client.mailSender.addAddress({ body: { email } }))
      const codes = Array.from({ length: 40 }, (_, rank) => `${rank}`.padStart(6, '0'))
      return accepted(codes, (code) => client.mailSender.confirmAddress({ body: { email, code } }))
    },
  ],
  [
    'a code with other signs than digits fails the server',
    ({ client }) =>
      accepted(['', '٠٤٢١٣٧', '\u2028', '0'.repeat(20), 'null', '{{code}}'], (code) =>
        client.mailSender.confirmAddress({ body: { email: 'victime@exemple.fr', code } }),
      ),
  ],
  [
    'replies go to an unknown or foreign address',
    ({ client, quiz_id: id }) =>
      accepted(
        ['victime@exemple.fr', 'ACCOUNT', '00000000-0000-0000-0000-000000000000', '', '__proto__'],
        async (reply_to) => {
          await client.mailSender.set({ body: { reply_to } })
          await client.quizMails.set({ id, body: { reply_to } })
        },
      ),
  ],
  [
    'a creator changes the sender of the quiz of another creator',
    async ({ client, other, other_quiz_id: id }) => {
      const statuses = [
        await statusOf(
          client.quizMails.set({ id, body: { reply_to: 'none', shows_result: false } }),
        ),
        await statusOf(client.quizzes.update({ id, body: { sender_name: 'Autre' } })),
      ]
      const { mails } = await other.quizMails.get({ id })
      return statuses.some((status) => status !== 404) || mails.reply_to !== null
        ? [`${statuses} ${mails.reply_to}`]
        : []
    },
  ],
  [
    'an API key reads or changes the sender of the account',
    async ({ client, origin }) => {
      const body = { name: 'Robot', scope: 'écriture' as const, expires_in_days: 90 as const }
      const { secret } = await client.apiKeys.create({ body })
      const robot = clientOf(origin, secret)
      return accepted(
        [
          () => robot.mailSender.get(),
          () => robot.mailSender.set({ body: { reply_to: 'none' } }),
          () => robot.mailSender.addAddress({ body: { email: 'robot@exemple.fr' } }),
        ],
        (call) => call(),
      )
    },
  ],
  [
    'a stranger reads the addresses for replies',
    async ({ origin }) => {
      const { status, text } = await send(`${origin}/api/v1/account/mail-sender`)
      return status === 401 ? [] : [`${status} ${text.slice(0, 100)}`]
    },
  ],
]

/** Attacks on the sender of mails. */
export const mailSenderAttacks = createSceneAttacks(openScene, ATTACKS)
