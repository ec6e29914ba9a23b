import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { findRunning } from '#server/db/embedded/postgres-process.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { openInstallation } from '../../runner/installation.ts'
import { startAndWait } from '../accounts/attacked-sites.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { openMeasuredSite } from '../measured-site.ts'

const MAX_ORPHAN_MS = 75_000

const useTestLinkElsewhere = async (): Promise<string[]> => {
  const site = await openMeasuredSite({ LOG_LEVEL: 'info' })
  try {
    const { client } = await site.creator()
    const { id } = await publishedScoreQuiz(client)
    const other = await publishedScoreQuiz(client)
    const { url } = await client.trialRuns.link({ id })
    const link = new URL(url, site.origin)
    const token = link.searchParams.get('test') ?? link.pathname.split('/').at(-1) ?? ''
    assertPrecondition(token.length > 20, `a test link has no token: ${url}`)
    const path = link.pathname.replace(id, other.id)
    const response = await fetch(`${site.origin}${path}${link.search}`)
    const text = await response.text()
    const successes: string[] = []
    if (response.status < 400)
      successes.push(`the test link opens another quiz: ${response.status}`)
    if (text.includes(token)) successes.push('the error response contains the token')
    await fetch(`${site.origin}/q/${other.id}?test=${token}`).then((page) => page.text())
    await fetch(`${site.origin}/q/${other.id}/test/${token}`).then((page) => page.text())
    await pause(1_000)
    if (site.readOutput().includes(token))
      successes.push('the log contains the token of the test link')
    return successes
  } finally {
    await site.close()
  }
}

const readWithKey = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { client, access_token } = await site.creator()
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
  const read = async (path: string, token: string): Promise<string> => {
    const response = await fetch(site.origin + path, {
      headers: { authorization: `Bearer ${token}` },
    })
    return response.text()
  }
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
    (await read(paths[0] ?? '', access_token)).includes(secret),
    'the owner cannot read the URL of the webhook',
  )
  for (const path of [...paths, '/api/v1/account/export']) {
    const text = await read(path, key)
    if (text.includes(secret))
      successes.push(`a key of scope lecture reads the URL of a webhook at ${path}`)
    if (shared_token && text.includes(shared_token))
      successes.push(`a key of scope lecture reads the shared link at ${path}`)
  }
  return successes
}

const writeIntoSharedStatistics = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { client } = await site.creator()
  const quiz = await publishedScoreQuiz(client)
  const injected = 'camille.martin@exemple.fr-0612345678'
  for (let rank = 0; rank < 8; rank++)
    await fetch(`${site.origin}/api/v1/quizzes/${quiz.id}/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${rank}` },
      body: JSON.stringify({
        answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: `p${rank}@exemple.fr` },
        parameters: { utm_source: injected, utm_campaign: injected },
      }),
    }).then((response) => response.arrayBuffer())
  const link = JSON.stringify(await client.statisticsLinks.create({ id: quiz.id }))
  const token =
    /[A-Za-z0-9_-]{20,}(?="|$)/.exec(link.replace(/"created_at":"[^"]*"/, ''))?.[0] ?? ''
  const response = await fetch(`${site.origin}/api/v1/shared-statistics/${token}`)
  const text = await response.text()
  assertPrecondition(
    response.status === 200,
    `the shared statistics are answered ${response.status}: ${link}`,
  )
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

const storeInvalidAddresses = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { client, access_token } = await site.creator()
  const quiz = await readyScoreQuiz(client)
  const put = async (body: object): Promise<number> => {
    const response = await fetch(`${site.origin}/api/v1/quizzes/${quiz.id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await response.arrayBuffer()
    return response.status
  }
  assertPrecondition(
    (await put({ end_button_url: 'https://exemple.fr/{{score}}' })) === 200,
    'a valid URL is refused',
  )
  const successes: string[] = []
  for (const address of INVALID_URLS)
    if ((await put({ end_button_url: address })) === 200)
      successes.push(`a button has the invalid URL ${JSON.stringify(address)}`)
  for (const slug of RESERVED_SLUGS)
    if ((await put({ slug })) === 200) successes.push(`the reserved address /q/${slug} is accepted`)
  const slug = `promo-${randomUUID().slice(0, 8)}`
  assertPrecondition((await put({ slug })) === 200, 'a valid slug is refused')
  await client.quizzes.remove({ id: quiz.id })
  const attacker = await site.creator()
  const other_quiz = await readyScoreQuiz(attacker.client)
  const reuse = await fetch(`${site.origin}/api/v1/quizzes/${other_quiz.id}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${attacker.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ slug }),
  })
  await reuse.arrayBuffer()
  if (reuse.status === 200)
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
