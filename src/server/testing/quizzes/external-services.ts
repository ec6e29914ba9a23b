import type { Client } from '#contract/client/client.ts'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { startKit } from '#server/testing/fakes/kit.ts'
import { startSystemio } from '#server/testing/fakes/systemio.ts'
import { startReceiver } from '#server/testing/fakes/webhook-receiver.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'

/** Names of the two webhooks at the receiver. */
export const WEBHOOK_NAMES = ['agence', 'tableur'] as const

const NO_LIMIT = 1_000_000

export type ExternalServices = Awaited<ReturnType<typeof startExternalServices>>

/**
 * Starts fake tools without rate limits, a webhook receiver and a mail server. Their environment variables configure a
 * server process that uses them.
 */
export const startExternalServices = async () => {
  const [kit, systemio, brevo, receiver, mails] = await Promise.all([
    startKit({ flows: true }),
    startSystemio({ flows: true }),
    startBrevo({ flows: true }),
    startReceiver({ flows: true }),
    startMailCatcher(),
  ])
  kit.switches.calls_per_minute = NO_LIMIT
  systemio.switches.calls = NO_LIMIT
  Object.assign(brevo.switches, { contacts_per_second: NO_LIMIT, others_per_hour: NO_LIMIT })
  return {
    kit,
    systemio,
    brevo,
    receiver,
    mails,
    env: {
      ...kit.env,
      ...systemio.env,
      ...brevo.env,
      WEBHOOKS_TO_LOOPBACK: 'on',
      AUTH_AUTOCONFIRM: 'true',
      SMTP_URL: mails.url,
      MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
      RESULT_MAILS_PER_DAY: String(NO_LIMIT),
      RESULT_MAILS_PER_NETWORK: String(NO_LIMIT),
    },
    close: async (): Promise<void> => {
      await Promise.all([kit, systemio, brevo, receiver, mails].map((service) => service.close()))
    },
  }
}

/** Signed-in creator of a server process. */
export type SignedInCreator = { origin: string; access_token: string; client: Client }

/** Gives the consent at Kit as the creator's browser would. */
export const consentAtKit = async (
  { kit }: Pick<ExternalServices, 'kit'>,
  { origin, access_token }: Pick<SignedInCreator, 'origin' | 'access_token'>,
): Promise<void> => {
  const headers = { authorization: `Bearer ${access_token}` }
  const path = '/api/v1/integrations/convertkit'
  const asked = await fetch(`${origin}${path}/connect`, { method: 'POST', headers })
  const { auth_url } = (await asked.json()) as { auth_url: string }
  const back = new URL(auth_url).searchParams.get('redirect_uri') ?? ''
  if (!kit.switches.redirect_uris.includes(back)) kit.switches.redirect_uris.push(back)
  const cookie = asked.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const visited = await fetch(auth_url, { redirect: 'manual' })
  const { pathname, search } = new URL(visited.headers.get('location') ?? '')
  const init = { headers: { cookie }, redirect: 'manual' } as const
  const landed = await fetch(`${origin}${pathname}${search}`, init)
  const location = landed.headers.get('location')
  if (!location?.endsWith('convertkit=ok')) throw new Error(`Kit was not connected: ${location}`)
}

/** Connects an account at each of the three tools for the creator. */
export const connectTools = async (
  sides: ExternalServices,
  caller: SignedInCreator,
): Promise<void> => {
  await consentAtKit(sides, caller)
  const { integrations } = caller.client
  await integrations.saveSystemio({ body: { api_key: 'systemeio-demo' } })
  await integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
}

/** Condition of a label: a result, or an answer of a question. */
type LabelCondition = { result_id: string } | { question_id: string; answer_id: string }
export type Rule = LabelCondition & { label_name: string }

/**
 * Enables everything that a published quiz can send: rules for three tools, two webhooks, result mails and notices to the
 * creator. URL parameters are stored too.
 */
export const enableAutomations = async (
  { receiver }: Pick<ExternalServices, 'receiver'>,
  { client }: Pick<SignedInCreator, 'client'>,
  { id, rules }: { id: string; rules: readonly Rule[] },
): Promise<void> => {
  await client.quizzes.update({ id, body: { consent_mode: 'requested', parameters: ['ref'] } })
  const body = { enabled: true, tag_by_result: false }
  await client.integrations.setConvertkit({ id, body })
  await client.integrations.setSystemio({ id, body })
  await client.integrations.setBrevo({ id, body })
  for (const provider of PROVIDERS)
    for (const rule of rules) await client.automations.add({ id, body: { provider, ...rule } })
  for (const name of WEBHOOK_NAMES) {
    const { secret } = await client.webhooks.add({ id, body: { url: receiver.urlOf(name) } })
    receiver.verifyAt(name, secret)
  }
  await client.quizMails.set({ id, body: { sends_result: true, tells_creator: 'each' } })
}
