import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { findRunning } from '#server/db/embedded/postgres-process.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { openInstallation } from '../../runner/installation.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { startAndWait } from '../runner/configured-sites.ts'
import { type Account, openMeasuredSite } from '../runner/measured-site.ts'
import { send, submit } from '../runner/requests.ts'

/** Maximum time for which PostgreSQL runs after its server was killed. */
const MAX_ORPHAN_MS = 75_000

const useTestLinkElsewhere = async (): Promise<string[]> => {
  const site = await openMeasuredSite({ LOG_LEVEL: 'info' })
  try {
    const { client } = await site.openAccount()
    const { id } = await publishedScoreQuiz(client)
    const other = await publishedScoreQuiz(client)
    const { url } = await client.trialRuns.link({ id })
    const link = new URL(url, site.origin)
    const token = link.searchParams.get('test') ?? link.pathname.split('/').at(-1) ?? ''
    assertPrecondition(token.length > 20, `a test link has no token: ${url}`)
    const path = link.pathname.replace(id, other.id)
    const { status, text } = await send(`${site.origin}${path}${link.search}`)
    const successes: string[] = []
    if (status < 400) successes.push(`the test link opens another quiz: ${status}`)
    if (text.includes(token)) successes.push('the error response contains the token')
    await send(`${site.origin}/q/${other.id}?test=${token}`)
    await send(`${site.origin}/q/${other.id}/test/${token}`)
    await pause(1_000)
    if (site.readOutput().includes(token))
      successes.push('the log contains the token of the test link')
    return successes
  } finally {
    await site.close()
  }
}

const readWithKey = async (context: AttackContext): Promise<string[]> => {
  const { client, call } = await context.openAccount()
  const quiz = await publishedScoreQuiz(client)
  const secret = randomUUID()
  await client.webhooks.add({ id: quiz.id, body: { url: `http://127.0.0.1:9998/hook/${secret}` } })
  const link = (await client.statisticsLinks.create({ id: quiz.id })) as unknown
  const created = await client.apiKeys.create({
    body: { name: 'Lecture', scope: 'lecture', expires_in_days: 30 },
  })
  const key = /qz_[A-Za-z0-9]{40}/.exec(JSON.stringify(created))?.[0] ?? ''
  assertPrecondition(key !== '', 'no API key was created')
  const shared_token = /[A-Za-z0-9_-]{20,}/.exec(JSON.stringify(link).split('/').at(-1) ?? '')?.[0]
  const successes: string[] = []
  const readAsText = async (path: string, token?: string): Promise<string> =>
    (await call(path, token ? { token } : {})).text
  const paths = [
    'webhooks',
    'statistics-link',
    'deliveries',
    'export',
    'draft',
    'automations',
    'mails',
  ].map((path) => `/api/v1/quizzes/${quiz.id}/${path}`)
  assertPrecondition(
    (await readAsText(paths[0] ?? '')).includes(secret),
    'the owner cannot read the URL of the webhook',
  )
  for (const path of [...paths, '/api/v1/account/export']) {
    const text = await readAsText(path, key)
    if (text.includes(secret))
      successes.push(`a key of scope lecture reads the URL of a webhook at ${path}`)
    if (shared_token && text.includes(shared_token))
      successes.push(`a key of scope lecture reads the shared link at ${path}`)
  }
  return successes
}

const writeIntoSharedStatistics = async (context: AttackContext): Promise<string[]> => {
  const { site, client } = await context.openAccount()
  const quiz = await publishedScoreQuiz(client)
  const injected = 'camille.martin@exemple.fr-0612345678'
  for (let rank = 0; rank < 8; rank++)
    await submit(
      site.origin,
      quiz.id,
      {
        answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: `p${rank}@exemple.fr` },
        parameters: { utm_source: injected, utm_campaign: injected },
      },
      `192.0.2.${rank}`,
    )
  const link = JSON.stringify(await client.statisticsLinks.create({ id: quiz.id }))
  const token =
    /[A-Za-z0-9_-]{20,}(?="|$)/.exec(link.replace(/"created_at":"[^"]*"/, ''))?.[0] ?? ''
  const { status, text } = await send(`${site.origin}/api/v1/shared-statistics/${token}`)
  assertPrecondition(status === 200, `the shared statistics are answered ${status}: ${link}`)
  return text.includes(injected)
    ? ['a visitor writes a text into the shared statistics through utm_source']
    : []
}

const INVALID_URLS = [
  'https://[::1',
  'https://exemple.fr:99999/',
  'https://exemple.fr\u202e/moc.elgoog',
  'https://user:secret@exemple.fr/',
  'https://exemple.fr\u0000/',
  'https:///',
  'https://\u200b/',
  'javascript:alert(1)',
]
const RESERVED_SLUGS = ['test', 'desinscription', 'statistiques', 'fonts']

/** Changes a quiz and returns true if the change is stored. */
const changeQuiz = async ({ call }: Account, id: string, body: object): Promise<boolean> =>
  (await call(`/api/v1/quizzes/${id}`, { method: 'PUT', body })).status === 200

const storeInvalidAddresses = async (context: AttackContext): Promise<string[]> => {
  const account = await context.openAccount()
  const { id } = await readyScoreQuiz(account.client)
  const change = (body: object) => changeQuiz(account, id, body)
  const isValidStored = await change({ end_button_url: 'https://exemple.fr/{{score}}' })
  assertPrecondition(isValidStored, 'a valid URL is refused')
  const successes: string[] = []
  for (const address of INVALID_URLS)
    if (await change({ end_button_url: address }))
      successes.push(`a button has the invalid URL ${JSON.stringify(address)}`)
  for (const slug of RESERVED_SLUGS)
    if (await change({ slug })) successes.push(`the reserved address /q/${slug} is accepted`)
  const slug = `promo-${randomUUID().slice(0, 8)}`
  assertPrecondition(await change({ slug }), 'a valid slug is refused')
  await account.client.quizzes.remove({ id })
  const attacker = await context.openAccount()
  const other_quiz = await readyScoreQuiz(attacker.client)
  if (await changeQuiz(attacker, other_quiz.id, { slug }))
    successes.push('another creator can use the address of a deleted quiz at once')
  return successes
}

const killServerOnly = async (): Promise<string[]> => {
  const installation = await openInstallation({ engine: 'embedded' })
  try {
    await startAndWait(installation)
    const pid = findRunning(installation.data_dir)
    assertPrecondition(pid !== undefined && pid > 0, 'there is no embedded database')
    installation.product().kill('SIGKILL')
    await installation.product().exited
    const deadline = performance.now() + MAX_ORPHAN_MS
    while (findRunning(installation.data_dir) && performance.now() < deadline) await pause(500)
    return findRunning(installation.data_dir)
      ? ['PostgreSQL still runs after the server was killed']
      : []
  } finally {
    await installation.cleanUp()
  }
}

/** Attacks that read secrets, misuse addresses or leave processes running. */
export const leakedSecrets: Attack[] = [
  { name: 'a test link opens another quiz, or its token is logged', run: useTestLinkElsewhere },
  { name: 'a key of scope lecture reads secrets', run: readWithKey },
  { name: 'a visitor writes a text into shared statistics', run: writeIntoSharedStatistics },
  { name: 'invalid, reserved or reused addresses are accepted', run: storeInvalidAddresses },
  { name: 'PostgreSQL keeps running after the server was killed', run: killServerOnly },
]
