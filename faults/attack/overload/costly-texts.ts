import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { describeFigures, findExcesses } from '../runner/limits.ts'
import { postForm, send } from '../runner/requests.ts'
import { createLargeDraft, publish } from './large-drafts.ts'
import { type MeasuredCall, measureCalls } from './measure-calls.ts'

const INSERTION_LIMITS = { loop_ms: 250, growth_mb: 150, answer_bytes: 1_048_576 }
/** Text with as many insertions of one reply as a text can contain. */
const MANY_INSERTIONS = '{{p}}'.repeat(1_000)

const multiplyInsertions = async (context: AttackContext): Promise<string[]> => {
  const account = await context.openAccount()
  const { site } = account
  const { id, question_id, nb_blocks } = await createLargeDraft(account, () => MANY_INSERTIONS, {
    first_try: 500,
  })
  await publish(account, id)
  const { value, loop_ms, growth_mb } = await site.measure(() =>
    postForm(site.origin, id, { [question_id]: 'é'.repeat(10_000) }),
  )
  const figures = { loop_ms, growth_mb, answer_bytes: value.bytes.length }
  context.note(`${nb_blocks} blocks: ${describeFigures(figures)}`)
  const { status } = value
  assertPrecondition([200, 422].includes(status) || status >= 500, `the form: ${status}`)
  return [
    ...findExcesses(figures, INSERTION_LIMITS),
    ...(status >= 500 ? [`the form is answered ${status}`] : []),
  ]
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
  const calls: MeasuredCall[] = []
  for (const [name, content] of Object.entries(FORMATTED_TEXTS)) {
    const account = await context.openAccount()
    const { origin } = account.site
    const draft = await createLargeDraft(account, () => content, { first_try: 500, page_number: 1 })
    const text = `${draft.nb_blocks} blocks of ${name}`
    const publishDraft = () =>
      account.call(`/api/v1/quizzes/${draft.id}/publish`, { method: 'POST' })
    const isExpected = () => true
    calls.push(
      { name: `publication of ${text}`, make: publishDraft, isExpected },
      { name: `page of ${text}`, make: () => send(`${origin}/q/${draft.id}`), isExpected },
      { name: `save of ${text}`, make: draft.save, isExpected },
    )
  }
  return measureCalls(context, calls)
}

const importable = (lines: string): string =>
  `# Trop\nType : sondage\n\n## Page 1\n\n### Et vous ?\n${lines}`
const IMPORTED_TEXTS: Record<string, string> = {
  '73,000 answers': importable('- a\n'.repeat(73_000)),
  '149,000 empty lines': importable('\n'.repeat(149_000)),
  '29,000 questions': importable('### a\n- b\n'.repeat(29_000)),
  '299,000 hashes': importable('#'.repeat(299_000)),
  '13,000 results': importable('## Résultats\n### a\n> b\n'.repeat(13_000)),
}

const importTexts = async (context: AttackContext): Promise<string[]> => {
  const { call } = await context.openAccount()
  return measureCalls(
    context,
    Object.entries(IMPORTED_TEXTS).map(([name, text]) => ({
      name,
      make: () => call('/api/v1/quizzes/import', { body: { text } }),
      isExpected: (status) => status < 500,
    })),
  )
}

const MB = 1_048_576
const createFileOfKeys = (bytes: number): string => {
  const keys = Array.from({ length: Math.floor(bytes / 12) }, (_, rank) => `"k${rank}":0`)
  return `{"format":"quizaine-quiz","schema_version":1,${keys.join(',')}}`
}

const importFiles = async (context: AttackContext): Promise<string[]> => {
  const { call } = await context.openAccount()
  const files: Record<string, string> = {
    '31 MiB of keys': createFileOfKeys(30 * MB),
    '31 MiB of brackets': '['.repeat(31 * MB),
    '31 MiB of empty objects': `{"format":"quizaine-quiz","schema_version":1,"questions":[${'{},'.repeat(10 * MB)}{}]}`,
    'one text of 31 MiB': `{"format":"quizaine-quiz","quiz":{"name":"${'a'.repeat(31 * MB)}"}}`,
  }
  return measureCalls(
    context,
    Object.entries(files).map(([name, body]) => ({
      name,
      make: () => call('/api/v1/quizzes/import-file', { body }),
      isExpected: (status) => status >= 400 && status < 500,
    })),
  )
}

/** Attacks with texts that are costly to parse or to display. */
export const costlyTexts: Attack[] = [
  { name: 'insertions multiply a reply', run: multiplyInsertions },
  { name: 'formatted texts block the event loop', run: publishFormatted },
  { name: 'texts to import block the event loop', run: importTexts },
  { name: 'files to import block the event loop', run: importFiles },
]
