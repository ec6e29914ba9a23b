import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { findRunning } from '#server/db/embedded/postgres-process.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { openInstallation } from '../../runner/installation.ts'
import { startPatiently } from '../accounts/sites.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { openMeasuredSite } from '../measured-site.ts'

/** Secrets and texts that reach the wrong reader, addresses that lead astray, and processes that stay behind. */

const ORPHAN_MS = 75_000

const logTokens = async (): Promise<string[]> => {
  const site = await openMeasuredSite({ LOG_LEVEL: 'info' })
  try {
    const { client } = await site.creator()
    const { id } = await publishedScoreQuiz(client)
    const other = await publishedScoreQuiz(client)
    const { url } = await client.testRuns.link({ id })
    const link = new URL(url, site.origin)
    const token = link.searchParams.get('test') ?? link.pathname.split('/').at(-1) ?? ''
    assertPrecondition(token.length > 20, `a test link without a token: ${url}`)
    const path = link.pathname.replace(id, other.id)
    const crossed = await fetch(`${site.origin}${path}${link.search}`)
    const text = await crossed.text()
    const got: string[] = []
    if (crossed.status < 400) got.push(`the test link opens another quiz: ${crossed.status}`)
    if (text.includes(token)) got.push('the refusal repeats the token')
    await fetch(`${site.origin}/q/${other.id}?test=${token}`).then((page) => page.text())
    await fetch(`${site.origin}/q/${other.id}/test/${token}`).then((page) => page.text())
    await pause(1_000)
    if (site.readOutput().includes(token)) got.push('the log holds the token of the test link')
    return got
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
  const made = await client.apiKeys.create({
    body: { name: 'Lecture', scope: 'lecture', expires_in_days: 30 },
  })
  const key = /qz_[A-Za-z0-9]{40}/.exec(JSON.stringify(made))?.[0] ?? ''
  assertPrecondition(key !== '', 'no key was made')
  const shared = /[A-Za-z0-9_-]{20,}/.exec(JSON.stringify(link).split('/').at(-1) ?? '')?.[0]
  const got: string[] = []
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
    'its owner does not see it',
  )
  for (const path of [...paths, '/api/v1/account/export']) {
    const text = await read(path, key)
    if (text.includes(secret))
      got.push(`a key of scope lecture reads a webhook's address at ${path}`)
    if (shared && text.includes(shared))
      got.push(`a key of scope lecture reads the shared link at ${path}`)
  }
  return got
}

const writeIntoSharedStatistics = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { client } = await site.creator()
  const quiz = await publishedScoreQuiz(client)
  const planted = 'camille.martin@exemple.fr-0612345678'
  for (let rank = 0; rank < 8; rank++)
    await fetch(`${site.origin}/api/v1/quizzes/${quiz.id}/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${rank}` },
      body: JSON.stringify({
        answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: `p${rank}@exemple.fr` },
        parameters: { utm_source: planted, utm_campaign: planted },
      }),
    }).then((response) => response.arrayBuffer())
  const link = JSON.stringify(await client.statisticsLinks.create({ id: quiz.id }))
  const token =
    /[A-Za-z0-9_-]{20,}(?="|$)/.exec(link.replace(/"created_at":"[^"]*"/, ''))?.[0] ?? ''
  const response = await fetch(`${site.origin}/api/v1/shared-statistics/${token}`)
  const text = await response.text()
  assertPrecondition(
    response.status === 200,
    `the shared figures are answered ${response.status}: ${link}`,
  )
  return text.includes(planted) ? ['a visitor writes into the shared figures by utm_source'] : []
}

const BAD_ADDRESSES = [
  'https://[::1',
  'https://exemple.fr:99999/',
  'https://exemple.fr\u202e/moc.elgoog',
  'https://user:secret@exemple.fr/',
  'https://exemple.fr\u0000/',
  'https:///',
  'https://\u200b/',
  'javascript:alert(1)',
]
const RESERVED = ['test', 'desinscription', 'statistiques', 'fonts']

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
    'no address works',
  )
  const got: string[] = []
  for (const address of BAD_ADDRESSES)
    if ((await put({ end_button_url: address })) === 200)
      got.push(`a button leads to ${JSON.stringify(address)}`)
  for (const slug of RESERVED)
    if ((await put({ slug })) === 200) got.push(`the address /q/${slug} is given away`)
  const slug = `promo-${randomUUID().slice(0, 8)}`
  assertPrecondition((await put({ slug })) === 200, 'no address of choice works')
  await client.quizzes.remove({ id: quiz.id })
  const thief = await site.creator()
  const stolen = await readyScoreQuiz(thief.client)
  const taken = await fetch(`${site.origin}/api/v1/quizzes/${stolen.id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${thief.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slug }),
  })
  await taken.arrayBuffer()
  if (taken.status === 200) got.push('the address of a deleted quiz is another creator’s at once')
  return got
}

const killServerOnly = async (): Promise<string[]> => {
  const installation = await openInstallation({ engine: 'embedded' })
  try {
    await startPatiently(installation)
    const pid = findRunning(installation.data_dir)
    assertPrecondition(pid !== undefined && pid > 0, 'there is no embedded database')
    installation.product().kill('SIGKILL')
    await installation.product().exited
    const deadline = performance.now() + ORPHAN_MS
    while (findRunning(installation.data_dir) && performance.now() < deadline) await pause(500)
    return findRunning(installation.data_dir) ? ['PostgreSQL outlives its killed server'] : []
  } finally {
    await installation.cleanUp()
  }
}

/** Attacks that read secrets, misuse addresses or leave processes running. */
export const leaks: Attack[] = [
  { name: 'a test link crosses quizzes or is logged', run: logTokens },
  { name: 'a key of scope lecture reads secrets', run: readWithKey },
  { name: 'a visitor writes a text into shared statistics', run: writeIntoSharedStatistics },
  { name: 'invalid, reserved or reused addresses are accepted', run: storeInvalidAddresses },
  { name: 'PostgreSQL keeps running after the server was killed', run: killServerOnly },
]
