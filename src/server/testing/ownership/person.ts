import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { findStates } from '#server/published-versions/quiz-states.store.ts'
import {
  connectAccount,
  connectWebhook,
  setForwarding,
} from '#server/testing/app/store-connections.ts'
import type { SignedUp, TestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

/** Creator who owns one object of each kind whose id can occur in an address or a body. */
export type Person = SignedUp & {
  quiz: SampleQuiz
  text_block_id: string
  participant_uuid: string
  participant_email: string
  /** Email address of the connected account at Brevo. */
  vendor_email: string
  /** Text that only the draft contains. */
  draft_text: string
  /** Token of the statistics link, which shows figures without an account. */
  shared_token: string
  factor_id: string
  identity_id: string
  key_id: string
  folder_id: string
  webhook_id: string
  /** Trial run with this address. */
  trial_run_id: string
  trial_email: string
  /** Refused delivery of a deleted participant. */
  erasure_id: string
  automation_id: string
  mapping_id: string
  reply_address_id: string
  /** Campaign with one invited person. */
  campaign_id: string
  invited_id: string
  invited_email: string
  /** Ids of parent objects. Each row of this creator refers to at least one of them. */
  ids: string[]
}

/** Creates a creator with a second factor and a quiz that has a participant, forwarding and unpublished changes. */
export const createPerson = async (app: TestApp): Promise<Person> => {
  const creator = await app.signUp()
  const { client, access_token, user_id } = creator
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  await client.retention.set({ id, body: { months: 12 } })
  const { link } = await client.statisticsLinks.create({ id })
  const connection_id = await connectAccount(app.db, creator, 'brevo')
  const vendor_email = `${connection_id}@exemple.fr`
  await app.db
    .updateTable('integration_connections')
    .set({ vendor_email })
    .where('id', '=', connection_id)
    .execute()
  await client.quizzes.update({ id, body: { consent_mode: 'box' } })
  await setForwarding(app.db, id, 'brevo')
  const webhook_id = await connectWebhook(app.db, creator, id)
  const rule = { provider: 'brevo' as const, result_id: quiz.result_ids[0] ?? '', label_name: 'A' }
  const { automation } = await client.automations.add({ id, body: rule })
  const field = { provider: 'brevo' as const, source: 'score' as const, field_name: 'POINTS' }
  const { mapping } = await client.fieldMappings.add({ id, body: field })
  // Opening a quiz that forwards stores the wording shown to visitors.
  await findStates(app.db, [id])
  const participant_uuid = randomUUID()
  const participant_email = `${participant_uuid}@exemple.fr`
  const answers = {
    [quiz.question_id]: quiz.answer_ids[0] ?? '',
    [quiz.open_id]: participant_email,
  }
  const body = { answers, email: participant_email, participant_uuid }
  await app.client.publicQuiz.submit({ id, body })
  const trial_run_id = randomUUID()
  const trial_email = `${trial_run_id}@exemple.fr`
  const { url } = await client.trialRuns.link({ id })
  await app.client.trialRuns.submit({
    id,
    token: new URL(url).searchParams.get('test') ?? '',
    body: {
      answers: { ...answers, [quiz.open_id]: trial_email },
      participant_uuid: trial_run_id,
    },
  })
  // The delivery gets another lease, so that the worker's outcome is not stored.
  await app.db
    .updateTable('deliveries')
    .set({ status: 'refused', lease_id: null, lease_until: null })
    .where('quiz_id', '=', id)
    .execute()

  await app.db
    .insertInto('page_actions')
    .values({ id: randomUUID(), quiz_id: id, kind: 'erased' })
    .execute()
  const erasure_id = randomUUID()
  const now = new Date().toISOString()
  await app.db
    .insertInto('erasures')
    .values({
      id: erasure_id,
      user_id,
      connection_id,
      provider: 'brevo',
      kind: 'delete',
      quiz_ids: [id],
      sealed_person: Buffer.alloc(1),
      status: 'refused',
      give_up_at: now,
      settled_at: now,
    })
    .execute()

  const text_block_id = randomUUID()
  const draft_text = `Ce que seul le brouillon ${text_block_id} dit`
  const { questions } = await client.questions.unified({ id })
  const text_blocks = [{ id: text_block_id, content: draft_text, page_number: 1 }]
  await client.questions.saveDraft({ id, body: { questions, text_blocks } })

  const headers = { authorization: `Bearer ${access_token}` }
  const factor = { factor_type: 'totp', friendly_name: 'Téléphone' }
  const enrolled = await app.raw({ method: 'POST', url: '/auth/v1/factors', headers, body: factor })
  assert.equal(enrolled.statusCode, 200, enrolled.body)
  const { key } = await client.apiKeys.create({
    body: { name: 'Atelier', scope: 'écriture', expires_in_days: null },
  })
  const { folder } = await client.folders.create({ body: { name: `Dossier ${user_id}` } })
  await client.folders.put({ id, body: { folder_id: folder.id } })
  const { id: identity_id } = await app.db
    .selectFrom('identities')
    .select('id')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  const reply_address_id = randomUUID()
  await app.db
    .insertInto('reply_addresses')
    .values({ id: reply_address_id, user_id, email: `reponses-${participant_email}` })
    .execute()
  const { campaign_id, invited_id, invited_email } = await insertCampaign(app, id)
  return {
    ...creator,
    campaign_id,
    invited_id,
    invited_email,
    quiz,
    text_block_id,
    participant_uuid,
    participant_email,
    vendor_email,
    draft_text,
    shared_token: link.token,
    factor_id: enrolled.json<{ id: string }>().id,
    identity_id,
    key_id: key.id,
    folder_id: folder.id,
    webhook_id,
    trial_run_id,
    trial_email,
    erasure_id,
    automation_id: automation.id,
    mapping_id: mapping.id,
    reply_address_id,
    ids: [user_id, id, webhook_id],
  }
}

/** Inserts a paused campaign with one invited person, because this app has no mail server. */
const insertCampaign = async ({ db }: TestApp, quiz_id: string) => {
  const [campaign_id, invited_id] = [randomUUID(), randomUUID()]
  const invited_email = `${invited_id}@exemple.fr`
  const words = { invitation_subject: 'A', invitation_text: 'B', reminder_subject: 'C' }
  const ends_at = '2099-01-01T00:00:00Z'
  await db
    .insertInto('campaigns')
    .values({
      ...{ quiz_id, id: campaign_id, name: 'Avis', is_anonymous: false, ...words },
      ...{
        reminder_text: 'D',
        reminder_days: [],
        starts_at: new Date().toISOString(),
        ends_at,
        status: 'paused',
      },
    })
    .execute()
  await db
    .insertInto('invitations')
    .values({
      ...{ quiz_id, id: invited_id, campaign_id, email: invited_email },
      ...{ mailbox_hash: Buffer.from(invited_id), token_hash: Buffer.from(invited_id) },
    })
    .execute()
  return { campaign_id, invited_id, invited_email }
}

/** Returns texts of a person that no other account may read. */
export const listPrivateTexts = (person: Person): string[] => [
  person.email,
  person.participant_email,
  person.vendor_email,
  person.access_token,
  person.draft_text,
  person.shared_token,
  person.webhook_id,
  person.trial_email,
  person.erasure_id,
  person.automation_id,
  person.mapping_id,
  person.reply_address_id,
  person.invited_email,
  person.folder_id,
]

/** Token that opens nothing. */
const NO_TOKEN = 'a'.repeat(24)
/** Number of no certificate, as its address has it. */
const NO_NUMBER = 'AAAA-AAAA-AAAA-AAAA'

/** Returns the query string that a route requires, with ids of this person. Empty for most routes. */
export const requiredQuery = (route: string, { quiz }: Person): string => {
  if (route.endsWith('/dry-run')) return `?result_id=${quiz.result_ids[0]}`
  return route.endsWith('/crosstab') ? `?rows=result&columns=${quiz.question_id}` : ''
}

/** Returns the address of a route of the access table, with ids of this person. */
export const fillRoute = (route: string, person: Person): string => {
  const [, pattern = ''] = route.split(' ')
  const { quiz, participant_uuid, factor_id, identity_id, key_id, user_id } = person
  const { trial_run_id, webhook_id, erasure_id, automation_id, mapping_id, folder_id } = person
  const { reply_address_id, campaign_id, invited_id } = person
  const ids_by_prefix: Record<string, string> = {
    '/api/v1/questions/:id': quiz.question_id,
    '/api/v1/account/keys/:id': key_id,
    '/api/v1/account/reply-addresses/:id': reply_address_id,
    '/api/v1/folders/:id': folder_id,
    '/auth/v1/factors/:id': factor_id,
    '/auth/v1/user/identities/:id': identity_id,
    '/auth/v1/admin/users/:id': user_id,
  }
  const [base] = Object.keys(ids_by_prefix).filter((prefix) => pattern.startsWith(prefix))
  return (
    base === undefined
      ? pattern
      : pattern.replace(base, base.replace(':id', ids_by_prefix[base] ?? ''))
  )
    .replace(':id', quiz.id)
    .replace(':resultId', quiz.result_ids[0] ?? '')
    .replace(':answerId', quiz.answer_ids[0] ?? '')
    .replace(':questionId', quiz.open_id)
    .replace(':participantId', participant_uuid)
    .replace(':webhookId', webhook_id)
    .replace(':runId', trial_run_id)
    .replace(':erasureId', erasure_id)
    .replace(':automationId', automation_id)
    .replace(':mappingId', mapping_id)
    .replace(':accountId', user_id)
    .replace(':campaignId', campaign_id)
    .replace(':personId', invited_id)
    .replace(':invitation', NO_TOKEN)
    .replace(':factor', factor_id)
    .replace(/:version\([^)]*\)|:version/, '1')
    .replace(':token', NO_TOKEN)
    .replace(':number', NO_NUMBER)
    .replace(':from', '0')
    .replace(':to', '1')
    .replace(':file', '400.webp')
    .replace(/:digest\([^)]*\)/, 'a1b2')
    .replace(':name', 'inter-400.woff2')
    .replace('*', '')
}
