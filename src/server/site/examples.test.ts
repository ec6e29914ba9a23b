import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { IN_TRASH_MESSAGE } from '#domain/questionnaire/trash/trash.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

const app = await createBuiltApp()
after(() => app.close())
const origin = await app.app.listen({ port: 0, host: '127.0.0.1' })

let creator: SignedUp
/** Environment that the guide tells the reader to set. */
const env: Record<string, string> = { QUIZAINE: origin, CLE: '' }
before(async () => {
  creator = await app.signUp()
  const body = { name: 'Guide', scope: 'écriture', expires_in_days: 30 } as const
  env.CLE = (await creator.client.apiKeys.create({ body })).secret
})

const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
const plain = (html: string): string =>
  Object.entries(ENTITIES).reduce((text, [entity, sign]) => text.replaceAll(entity, sign), html)

/** Returns the commands of the page in order, as a reader copies them. */
const readCommands = async (): Promise<[name: string, command: string][]> => {
  const { body, statusCode } = await app.raw({ url: '/docs' })
  assert.equal(statusCode, 200)
  return [...body.matchAll(/<pre id="exemple-([\w-]+)"><code>(.*?)<\/code>/gs)].map(
    ([, name = '', command = '']) => [name, plain(command)],
  )
}

/** Runs a command of the page and returns its JSON output. */
const answerTo = async (command: string): Promise<Record<string, unknown>> => {
  const { stdout } = await run('/bin/sh', ['-c', command], { env, timeout: 30_000 })
  return JSON.parse(stdout)
}

const submit = async (email: string): Promise<void> => {
  const id = env.QUIZ ?? ''
  const { snapshot } = await app.client.publicQuiz.snapshot({ id })
  const [choice, address] = snapshot.questions
  const answers = {
    [choice?.id ?? '']: choice?.answers[0]?.id ?? '',
    [address?.id ?? '']: email,
  }
  await app.client.publicQuiz.submit({ id, body: { answers, email } })
}

type Example = (answer: Record<string, unknown>) => Promise<void> | void

/** Checks of each command's output; values that the reader notes are set for later commands. */
const EXPECTED: Record<string, Example> = {
  list: ({ quizzes }) => assert.deepEqual(quizzes, []),
  create: ({ quiz }) => {
    const { id, name, status } = quiz as Record<string, string>
    assert.deepEqual([name, status], ['Votre avis', 'Brouillon'])
    env.QUIZ = String(id)
  },
  update: ({ quiz }) => {
    assert.equal((quiz as { name: string }).name, 'Votre avis sur l’atelier')
  },
  publish: async ({ quiz }) => {
    assert.equal((quiz as { status: string }).status, 'Publié')
    assert.equal((await fetch(`${origin}/q/${env.QUIZ}`)).status, 200)
    await submit('ada@exemple.fr')
    await submit('camille@exemple.fr')
  },
  responses: ({ details, next_cursor }) => {
    assert.equal((details as { email: string }[])[0]?.email, 'camille@exemple.fr')
    env.CURSOR = String(next_cursor)
  },
  next: ({ details, next_cursor }) => {
    assert.equal((details as { email: string }[])[0]?.email, 'ada@exemple.fr')
    assert.equal(next_cursor, null)
  },
  export: async ({ url }) => {
    const csv = await (await fetch(`${origin}${url}`)).text()
    assert.match(csv, /camille@exemple\.fr/)
  },
  person: async ({ responses }) => {
    assert.equal((responses as unknown[]).length, 1)
    await submit('sacha@exemple.fr')
  },
  report: async ({ quiz }) => {
    assert.equal((quiz as { report: string }).report, 'replies')
    await creator.client.quizzes.publish({ id: env.QUIZ ?? '' })
  },
  documents: async ({ url, nb_participants, file_name }) => {
    assert.equal(nb_participants, 1)
    assert.match(String(file_name), /^Rapports - .*\.zip$/)
    const zip = await fetch(`${origin}${url}`)
    assert.equal(zip.headers.get('content-type'), 'application/zip')
  },
  erase: async ({ nb_deleted }) => {
    assert.equal(nb_deleted, 1)
    const body = { email: 'sacha@exemple.fr' }
    const { responses } = await creator.client.participants.ofPerson({ body })
    assert.deepEqual(responses, [])
  },
  // The person was sent to no tool, so there is nothing to erase.
  erasures: ({ erasures }) => assert.deepEqual(erasures, []),
  refused: (answer) => assert.equal(answer.code, 'mistyped_key'),
}

describe('the guide of the API', () => {
  test('the guide has commands that give the documented output in order', async (t) => {
    const commands = await readCommands()
    assert.deepEqual(
      commands.map(([name]) => name),
      Object.keys(EXPECTED),
    )
    for (const [name, command] of commands)
      await t.test(`the command « ${name} » gives its documented output`, async () =>
        EXPECTED[name]?.(await answerTo(command)),
      )
  })

  test('the guide documents existing refusal codes', async () => {
    const { body } = await app.raw({ url: '/docs' })
    const read = { name: 'Lecture', scope: 'lecture', expires_in_days: 30 } as const
    const { secret } = await creator.client.apiKeys.create({ body: read })
    const headers = { authorization: `Bearer ${secret}` }
    const calls = [
      { url: '/api/v1/quizzes' },
      { url: `/api/v1/quizzes/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`, headers },
      { method: 'POST', url: '/api/v1/quizzes', headers, body: { type: 'quiz' } },
      { url: '/api/v1/account/sessions', headers },
    ] as const
    const statuses: string[] = []
    for (const call of calls) {
      const reply = await app.raw(call)
      const line = `<td>${reply.statusCode}</td><td>${reply.json<{ code: string }>().code}</td>`
      assert.ok(body.includes(line), line)
      statuses.push(line)
    }
    assert.equal(new Set(statuses).size, calls.length)
  })
})

/** Program of a reader who has copied the client; it is type-checked and run. */
const PROGRAM = `
import { createQuizaine, everyResponse, QuizaineError, type Quiz } from './quizaine.ts'

// Runs in test:all, because it runs programs in other processes.

const { QUIZAINE: origin = '', CLE: key = '', QUIZ: other = '' } = process.env
const quizaine = createQuizaine({ origin, key })
const text = '# Un autre\\nType : sondage\\n\\n## Page 1\\n\\n### Utile ?\\n- Oui\\n- Non\\n'
const { quiz }: { quiz: Quiz } = await quizaine.quizzes.importText({ body: { text } })
await quizaine.quizzes.update({ id: quiz.id, body: { name: 'Un autre avis' } })
const published = await quizaine.quizzes.publish({ id: quiz.id })
const { quizzes } = await quizaine.quizzes.list()
const emails: (string | null)[] = []
for await (const { email } of everyResponse(quizaine, { id: other, limit: 1 })) emails.push(email)
const exported: string = await quizaine.quizzes.text({ id: quiz.id })
const removed: void = await quizaine.quizzes.remove({ id: quiz.id })
let refusal: QuizaineError | undefined
try {
  await quizaine.quizzes.get({ id: quiz.id })
} catch (error) {
  if (error instanceof QuizaineError) refusal = error
}
// @ts-expect-error: a type that there is not
const wrong = () => quizaine.quizzes.create({ body: { type: 'autre' } })
console.log(
  JSON.stringify({
    status: published.quiz.status,
    names: quizzes.map(({ name }) => name),
    emails,
    begins: exported.split('\\n')[0],
    removed: removed === undefined,
    refusal: refusal && [refusal.status, refusal.code, refusal.message],
    wrong: typeof wrong,
  }),
)
`

testInAll('the client compiles and can list, create, publish and read pages', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'quizaine-client-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await copyFile(join(root, 'docs/client/quizaine.ts'), join(folder, 'quizaine.ts'))
  await writeFile(join(folder, 'program.mts'), PROGRAM)
  const options = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    target: 'es2023',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['*.ts', '*.mts'] }),
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [compiler, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  assert.equal(compiled.stdout, '')
  const { stdout } = await run(process.execPath, [join(folder, 'program.mts')], { env })
  assert.deepEqual(JSON.parse(stdout), {
    status: 'Publié',
    names: ['Un autre avis', 'Votre avis sur l’atelier'],
    emails: ['camille@exemple.fr', 'ada@exemple.fr'],
    begins: '# Un autre avis',
    removed: true,
    refusal: [404, 'in_trash', IN_TRASH_MESSAGE],
    wrong: 'function',
  })
})

test('the served client equals the client in docs/', async () => {
  const { typescriptClient } = await import('#contract/client/typescript-client.ts')
  const { body, headers } = await app.raw({ url: '/docs/quizaine.ts' })
  assert.equal(body, typescriptClient())
  assert.match(String(headers['content-type']), /^text\/plain/)
})
