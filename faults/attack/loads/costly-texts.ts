import { randomUUID } from 'node:crypto'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { measureQuietest } from '../measured-site.ts'
import { postForm } from './post-form.ts'

const MAX_PAGE_BYTES = 1_048_576
const MAX_LOOP_MS = 250
const MAX_GROWTH_MB = 150

type Post = (
  path: string,
  body: unknown,
  method?: string,
) => Promise<{ status: number; text: string }>

const poster =
  (origin: string, access_token: string): Post =>
  async (path, body, method = 'POST') => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(120_000),
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }

/** Text with as many insertions of one reply as a text can contain. */
const MANY_INSERTIONS = '{{p}}'.repeat(1_000)

const multiplyInsertions = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { client } = await site.creator()
  const { quiz } = await client.quizzes.create({ body: { name: 'Échos', type: 'sondage' } })
  const { id } = quiz
  const question_id = randomUUID()
  const save = (nb_blocks: number) =>
    client.questions.saveDraft({
      id,
      body: {
        questions: [{ id: question_id, text: 'Et vous ?', type: 'textarea', label: 'p' }],
        text_blocks: Array.from({ length: nb_blocks }, () => ({
          id: randomUUID(),
          content: MANY_INSERTIONS,
          page_number: 2,
        })),
      },
    })
  // The number is halved until the product accepts the blocks.
  let nb_blocks = 500
  for (; nb_blocks > 0; nb_blocks = Math.floor(nb_blocks / 2))
    try {
      await save(nb_blocks)
      await client.quizzes.publish({ id })
      break
    } catch {
      // The product refused the blocks.
    }
  assertPrecondition(nb_blocks > 0, 'no block is accepted')
  const reply = 'é'.repeat(10_000)
  const { value, loop_ms, growth_mb } = await site.measure(() =>
    postForm(site, id, { [question_id]: reply }),
  )
  context.note(
    `${nb_blocks} blocks: ${(value.bytes / 1_024).toFixed(0)} KiB, ${Math.round(loop_ms)} ms, ${Math.round(growth_mb)} MB`,
  )
  assertPrecondition(
    [200, 422].includes(value.status) || value.status >= 500,
    `the form: ${value.status}`,
  )
  const successes: string[] = []
  if (value.bytes > MAX_PAGE_BYTES) successes.push(`a page of ${value.bytes} bytes`)
  if (value.status >= 500) successes.push(`the form is answered ${value.status}`)
  if (loop_ms > MAX_LOOP_MS) successes.push(`the event loop waits ${Math.round(loop_ms)} ms`)
  if (growth_mb > MAX_GROWTH_MB) successes.push(`${Math.round(growth_mb)} MB of memory`)
  return successes
}

/** Formatted texts that are costly to parse, each within the limits of a text block. */
const FORMATTED_TEXTS: Record<string, string> = {
  'lines of lists': '- a\n'.repeat(498),
  'nested lists': Array.from({ length: 490 }, (_, line) => `${'  '.repeat(line % 6)}- a`).join(
    '\n',
  ),
  'pairs of asterisks': '**a** '.repeat(240),
  'open brackets': '['.repeat(490),
  links: '[a](https://a.fr) '.repeat(120),
}

const publishFormatted = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const successes: string[] = []
  let worst_ms = 0
  for (const [name, content] of Object.entries(FORMATTED_TEXTS)) {
    const { client, access_token } = await site.creator()
    const { quiz } = await client.quizzes.create({ body: { name: 'Listes', type: 'sondage' } })
    const post = poster(site.origin, access_token)
    const block = () => ({ id: randomUUID(), content, page_number: 1 })
    const draft = (nb_blocks: number) => ({
      questions: [{ id: randomUUID(), text: 'Et vous ?', type: 'text' }],
      text_blocks: Array.from({ length: nb_blocks }, block),
    })
    const path = `/quizzes/${quiz.id}`
    const save = (nb: number) => post(`${path}/questions/unified/smart`, draft(nb))
    let nb_blocks = 500
    while (nb_blocks > 0 && (await save(nb_blocks)).status !== 200)
      nb_blocks = Math.floor(nb_blocks * 0.8)
    assertPrecondition(nb_blocks > 0, `no block of ${name} is accepted`)
    const calls: Record<string, () => Promise<unknown>> = {
      publish: () => post(`${path}/publish`, undefined),
      page: () => fetch(`${site.origin}/q/${quiz.id}`).then((page) => page.text()),
      save: () => save(nb_blocks),
    }
    for (const [call, make] of Object.entries(calls)) {
      const { loop_ms } = await measureQuietest(site, MAX_LOOP_MS, make)
      worst_ms = Math.max(worst_ms, loop_ms)
      if (loop_ms > MAX_LOOP_MS)
        successes.push(`${call} of ${nb_blocks} blocks of ${name}: ${Math.round(loop_ms)} ms`)
    }
  }
  context.note(`event loop ${Math.round(worst_ms)} ms`)
  return successes
}

const importTexts = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { access_token } = await site.creator()
  const post = poster(site.origin, access_token)
  const text = (lines: string) => `# Trop\nType : sondage\n\n## Page 1\n\n### Et vous ?\n${lines}`
  const costlyTexts: Record<string, string> = {
    '73,000 answers': text('- a\n'.repeat(73_000)),
    '149,000 empty lines': text('\n'.repeat(149_000)),
    '36,000 questions': text('### a\n- b\n'.repeat(29_000)),
    '299,000 hashes': text('#'.repeat(299_000)),
    '20,000 results': text('## Résultats\n### a\n> b\n'.repeat(13_000)),
  }
  const successes: string[] = []
  let worst_ms = 0
  for (const [name, content] of Object.entries(costlyTexts)) {
    const { value, loop_ms } = await measureQuietest(site, MAX_LOOP_MS, () =>
      post('/quizzes/import', { text: content }),
    )
    worst_ms = Math.max(worst_ms, loop_ms)
    if (value.status >= 500) successes.push(`${name} is answered ${value.status}`)
    if (loop_ms > MAX_LOOP_MS)
      successes.push(`${name}: the event loop waits ${Math.round(loop_ms)} ms`)
  }
  context.note(`event loop ${Math.round(worst_ms)} ms`)
  return successes
}

const MB = 1_048_576
const fileOfKeys = (bytes: number): string => {
  const key = (rank: number) => `"k${rank}":0`
  const keys = Array.from({ length: Math.floor(bytes / 12) }, (_, rank) => key(rank))
  return `{"format":"quizaine-quiz","schema_version":1,${keys.join(',')}}`
}

const importFiles = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const { access_token } = await site.creator()
  const files: Record<string, string> = {
    '31 MiB of keys': fileOfKeys(30 * MB),
    '31 MiB of brackets': '['.repeat(31 * MB),
    '31 MiB of empty objects': `{"format":"quizaine-quiz","schema_version":1,"questions":[${'{},'.repeat(10 * MB)}{}]}`,
    'one text of 31 MiB': `{"format":"quizaine-quiz","quiz":{"name":"${'a'.repeat(31 * MB)}"}}`,
  }
  const successes: string[] = []
  let worst_ms = 0
  for (const [name, body] of Object.entries(files)) {
    const { value, loop_ms } = await measureQuietest(site, MAX_LOOP_MS, async () => {
      const response = await fetch(`${site.origin}/api/v1/quizzes/import-file`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(120_000),
        body,
      })
      await response.arrayBuffer()
      return response.status
    })
    worst_ms = Math.max(worst_ms, loop_ms)
    if (value >= 500 || value < 400) successes.push(`${name}: answered ${value}`)
    if (loop_ms > MAX_LOOP_MS)
      successes.push(`${name}: the event loop waits ${Math.round(loop_ms)} ms`)
  }
  context.note(`event loop ${Math.round(worst_ms)} ms`)
  return successes
}

/** Attacks with texts that are costly to parse or to display. */
export const costlyTexts: Attack[] = [
  { name: 'insertions multiply a reply', run: multiplyInsertions },
  { name: 'formatted texts block the event loop', run: publishFormatted },
  { name: 'texts to import block the event loop', run: importTexts },
  { name: 'files to import block the event loop', run: importFiles },
]
