import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { createCampaigns } from '#server/campaigns/create-campaigns.ts'
import { CHANNEL_RATE_LIMITS } from '#server/deliveries/channel-rate-limits.ts'
import type { DatabaseClock } from '#server/deliveries/database-clock.ts'
import { createSend, createTools } from '#server/deliveries/send.ts'
import { withConnection } from '#server/deliveries/send-delivery.ts'
import { createSendErasure } from '#server/deliveries/send-erasure.ts'
import type { BlockedConnection } from '#server/deliveries/settlements.store.ts'
import { createWorker, type Worker } from '#server/deliveries/worker.ts'
import { createBrevo } from '#server/integrations/providers/brevo.ts'
import { createKit } from '#server/integrations/providers/kit.ts'
import { createSystemio } from '#server/integrations/providers/systemio.ts'
import { createProvisionQuiz } from '#server/integrations/provision-quiz.ts'
import { createQuizMails } from '#server/quiz-mails/create-quiz-mails.ts'
import { createReports } from '#server/reports/create-reports.ts'
import { createVault } from '#server/runtime/sealing.ts'
import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { startKit } from '#server/testing/fakes/kit.ts'
import { createConsentToken } from '#server/testing/fakes/kit-consent.ts'
import { startSystemio } from '#server/testing/fakes/systemio.ts'
import { startReceiver } from '#server/testing/fakes/webhook-receiver.ts'
import { listToolContacts } from '#server/testing/people/tool-contacts.ts'
import {
  publishedOptionalEmailQuiz,
  type SampleQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'
import { createWebhooks } from '#server/webhooks/create-webhooks.ts'
import { countPending, describePending } from './pending-deliveries.ts'
import { connectAccount, setForwarding } from './store-connections.ts'
import { createTestApp, type SignedUp, type TestApp } from './test-app.ts'
import { createTestVersions } from './test-versions.ts'

/** Creator with a connection to each of the three tools. All use the same account name. */
export type ConnectedCreator = SignedUp & {
  account: string
  connections: Record<ProviderName, string>
}

export type OutboxApp = Awaited<ReturnType<typeof createOutboxApp>>

const MAX_STEPS = 400
const SHORT_STEPS = 200
const LONG_STEP_MS = 20_000
const SECRET_KEY = 'a secret that only tests know of'

/**
 * Starts the app with fake tools, a webhook receiver and a delivery worker. All share one clock, which flows and which
 * tests can advance.
 */
export const createOutboxApp = async (
  env: Record<string, string> = {},
  {
    rateLimits = CHANNEL_RATE_LIMITS,
    folders,
  }: {
    rateLimits?: typeof CHANNEL_RATE_LIMITS
    folders?: { player: URL; dashboard: string }
  } = {},
) => {
  /** Log lines and answers so far. */
  const output: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void output.push(line) })
  const [kit, systemio, brevo, receiver] = await Promise.all([
    startKit({ flows: true }),
    startSystemio({ flows: true }),
    startBrevo({ flows: true }),
    startReceiver({ flows: true }),
  ])
  const app: Pick<TestApp, 'db' | 'pool' | 'client' | 'config' | 'raw' | 'signUp' | 'close'> =
    await createTestApp(
      { WEBHOOKS_TO_LOOPBACK: 'on', SECRET_KEY, ...brevo.env, ...env },
      {
        log,
        onAnswer: (body: string) => void output.push(body),
        ...(folders && { has_pages: true, folders }),
      },
    )
  const fakes = { convertkit: kit, systemio, brevo }
  const secrets = new Map<string, string>()
  const blocked: BlockedConnection[] = []
  const notice_fault = { fails: false }
  let ahead_ms = 0
  /** Jump of the clock that workers have not read yet. */
  let jump_ms = 0
  /** Sum of all jumps, which the elapsed time does not contain. */
  let jumped_ms = 0
  const now = (): Date => new Date(Date.now() + ahead_ms)

  const integrations: Parameters<typeof createTools>[1] = {
    providers: {
      convertkit: createKit({ api_url: kit.env.KIT_API_URL ?? '' }),
      systemio: createSystemio({ api_url: systemio.env.SYSTEMEIO_API_URL ?? '' }),
      brevo: createBrevo({ api_url: brevo.env.BREVO_API_URL ?? '' }),
    },
    openConnection: async (connection_id, refused) => {
      const row = await app.db
        .selectFrom('integration_connections')
        .select(['id', 'user_id', 'provider', 'vendor_account_id'])
        .where('id', '=', connection_id)
        .$narrowType<{ provider: ProviderName }>()
        .executeTakeFirstOrThrow()
      const secret = secrets.get(connection_id) ?? ''
      return secret === refused
        ? { kind: 'credential', code: 'invalid_key', needs_reconnect: true }
        : { kind: 'open', connection: { ...row, secret } }
    },
    provisionQuiz: createProvisionQuiz({
      db: app.db,
      now,
      use: (connection_id, act) =>
        withConnection(integrations.openConnection, connection_id, (connection) =>
          act(connection, integrations.providers[connection.provider]),
        ),
    }),
  }
  const { db, config } = app
  const { public_url } = config
  const { heavyWork, compiled } = createTestVersions(db)
  const reports = createReports({ db, compiled, secretKey: SECRET_KEY, public_url, heavyWork })
  const { pageUrl } = reports
  const tools = createTools(db, { ...integrations, pageUrl }, now)
  const vault = createVault(SECRET_KEY)
  const { sendWebhook, sendErased } = createWebhooks({
    db,
    log,
    vault,
    pageUrl,
    config: { webhooks: { allows_loopback: true }, rate_limits: false },
  })
  const mails = createQuizMails({ db, compiled, now, config, secretKey: SECRET_KEY, reports })
  const { sendMail } = mails
  const campaigns = createCampaigns({ db, config, secretKey: SECRET_KEY, compiled, mails, now })
  const send = createSend({ tools, sendWebhook, sendMail })
  const erase = createSendErasure({ db, vault, tools, sendErased })
  const clock: DatabaseClock = {
    now,
    elapsed: () => now().getTime() - jumped_ms,
    read: async () => {
      const reading = { jump_ms, is_continuous: jump_ms === 0 }
      jump_ms = 0
      return reading
    },
    leaseCutoff: now,
  }
  const startWorker = (): Worker =>
    createWorker({
      db,
      send,
      erase,
      invite: campaigns.invite,
      log,
      clock,
      rateLimits,
      notifyCreator: async (_, notice) => {
        if (notice_fault.fails) throw new Error('nobody was told')
        blocked.push(notice)
      },
    })
  const worker = startWorker()

  /** Advances the clock in steps, and sends all due deliveries after each step. */
  const advanceClock = async (ms: number, step_ms = ms): Promise<void> => {
    for (let left = ms; left > 0; left -= step_ms) {
      const step = Math.min(left, step_ms)
      ahead_ms += step
      for (const { clock } of Object.values(fakes)) clock.advance(step)
      await worker.drain()
    }
  }

  /** Submits these replies. Returns the id of the participant and the name of the result. */
  const submitReplies = async (
    { id }: Pick<SampleQuiz, 'id'>,
    answers: Replies,
    more: { consent_version?: number | undefined; parameters?: string | undefined } = {},
  ) => {
    const participant_uuid = randomUUID()
    const body = { answers, participant_uuid, ...more }
    const { result, documents } = await app.client.publicQuiz.submit({ id, body })
    // Delivery times are moved to the test clock, which can be days ahead of the database clock.
    await app.db
      .updateTable('deliveries')
      .set({ next_attempt_at: now(), give_up_at: new Date(now().getTime() + 72 * 3_600_000) })
      .where('participant_uuid', '=', participant_uuid)
      .where('status', '=', 'pending')
      .execute()
    return { participant_uuid, result_name: result?.name ?? '', documents }
  }

  return {
    ...app,
    fakes,
    receiver,
    tools,
    campaigns,
    worker,
    startWorker,
    blocked,
    /** Switch that makes notices about blocked connections fail. */
    notice_fault,
    secrets,
    now,
    /** Sets the clock of the database forward, or back for a negative time, as a correction does. */
    setClock: (by_ms: number): void => {
      ahead_ms += by_ms
      jump_ms += by_ms
      jumped_ms += by_ms
    },
    advanceClock,
    /** Returns log lines and answers that contain a secret of a connection. */
    findLeaks: (): string[] => {
      const all = [...secrets.values()]
      return output.filter((text) => all.some((secret) => text.includes(secret)))
    },
    /** Returns log lines and answers that contain one of these texts. */
    findOutput: (texts: readonly string[]): string[] =>
      output.filter((line) => texts.some((text) => line.includes(text))),
    /** Advances the clock until no delivery or erasure is pending. Steps become longer after 200 steps. */
    finishDeliveries: async (step_ms = 1_000): Promise<void> => {
      await worker.drain()
      for (let steps = 0; (await countPending(app.pool)) > 0; steps += 1) {
        if (steps === MAX_STEPS)
          throw new Error(`Deliveries stay pending: ${await describePending(app.db, now())}`)
        await advanceClock(steps < SHORT_STEPS ? step_ms : Math.max(step_ms, LONG_STEP_MS))
      }
    },
    /** Signs up a creator and connects an account at each of the three tools. */
    connectCreator: async (account = randomUUID()): Promise<ConnectedCreator> => {
      const creator = await app.signUp()
      const connections = { convertkit: '', systemio: '', brevo: '' }
      for (const provider of PROVIDERS)
        connections[provider] = await connectAccount(app.db, creator, provider)
      kit.switches.account = account
      secrets.set(connections.convertkit, await createConsentToken(kit, account))
      systemio.keys.add(`systemeio-${account}`, { account })
      secrets.set(connections.systemio, `systemeio-${account}`)
      brevo.keys.add(`xkeysib-${account}`, { account })
      secrets.set(connections.brevo, `xkeysib-${account}`)
      // The preview of a trial run opens the account at Brevo, because the names of attributes depend on it.
      const brevo_row = {
        id: connections.brevo,
        user_id: creator.user_id,
        provider: 'brevo' as const,
      }
      await app.db
        .updateTable('integration_connections')
        .set({ sealed_secret: vault.seal({ ...brevo_row, key_version: 1 }, `xkeysib-${account}`) })
        .where('id', '=', connections.brevo)
        .execute()
      return { ...creator, account, connections }
    },
    /** Publishes a quiz by score that forwards to these tools and has no consent box; its email may stay blank. */
    createForwardingQuiz: async (
      { client }: SignedUp,
      providers: readonly ProviderName[] = PROVIDERS,
    ): Promise<SampleQuiz> => {
      const quiz = await publishedOptionalEmailQuiz(client)
      await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
      for (const provider of providers) await setForwarding(app.db, quiz.id, provider)
      await app.db
        .updateTable('quiz_integrations')
        .set({ field_key: null })
        .where('quiz_id', '=', quiz.id)
        .execute()
      return quiz
    },
    /** Adds a webhook whose receiver verifies signatures. Returns its id, name and secret. */
    addWebhook: async ({ client }: SignedUp, { id }: SampleQuiz, name = randomUUID()) => {
      const body = { url: receiver.urlOf(name) }
      const { webhook, secret } = await client.webhooks.add({ id, body })
      receiver.verifyAt(name, secret)
      return { id: webhook.id, name, secret }
    },
    /** Submits a response. Returns the id of the participant and the name of the result. */
    submitParticipant: (
      quiz: SampleQuiz,
      email: string,
      choice = 0,
      consent_version?: number,
      parameters?: string,
    ) =>
      submitReplies(
        quiz,
        { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: email },
        { consent_version, parameters },
      ),
    submitReplies,
    /** Returns, by tool, the contacts of an account with the value of the result field. */
    listPeopleAtTools: (account: string) => listToolContacts(fakes, account),
    close: async () => {
      await worker.close()
      await heavyWork.close()
      await app.close()
      await Promise.all([...Object.values(fakes), receiver].map((fake) => fake.close()))
    },
  }
}
