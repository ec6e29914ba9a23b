import type { Client } from '#contract/client/client.ts'
import type { Attack, AttackContext } from '../attack.ts'
import type { MeasuredSite } from '../measured-site.ts'

const MAX_DOCUMENT_MS = 8_000
const LONGEST_REPLY = 10_000

/** Texts of strangers that once crashed or slowed the drawing of a document, and others of their kind. */
const TEXTS: [name: string, unit: string][] = [
  ['an Arabic letter of another language', 'ڢ'],
  ['Arabic with a Koranic mark', 'ح\u06d8'],
  ['right-to-left marks', 'a\u200f'],
  ['embeddings', '\u202ba\u202ab\u202c'],
  ['isolates', '\u2067a\u2069'],
  ['marks of alternating classes', '\u0301\u0323\u0330'],
  ['one mark', 'e\u0301\u0301\u0301'],
  ['invisible characters', 'a\u200b\u200d\u2060'],
  ['Devanagari', 'नमस्ते '],
  ['Han', '漢字'],
  ['joined emoji', '👩‍👩‍👧'],
  ['brackets in Hebrew', 'ש('],
  ['line breaks', 'a\n'],
  ['one long word', 'a'],
]

const publishWithDocuments = async (client: Client) => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Attestation', type: 'quiz' } })
  const { id } = quiz
  const { question } = await client.questions.create({
    id,
    body: { type: 'text', text: 'Votre nom ?', contact_role: 'first_name', is_required: false },
  })
  const { question: long } = await client.questions.create({
    id,
    body: { type: 'text', text: 'Racontez.', is_required: false },
  })
  await client.quizzes.update({ id, body: { type: 'sondage', report: 'replies' } })
  await client.quizzes.publish({ id })
  return { id, name_id: question.id, long_id: long.id }
}

const readDocument = async (
  site: MeasuredSite,
  { id, name_id, long_id }: Awaited<ReturnType<typeof publishWithDocuments>>,
  unit: string,
): Promise<{ status: number; elapsed_ms: number }> => {
  const from = { 'x-forwarded-for': '203.0.113.91' }
  const text = unit.repeat(LONGEST_REPLY).slice(0, LONGEST_REPLY)
  const submitted = await fetch(`${site.origin}/api/v1/quizzes/${id}/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...from },
    body: JSON.stringify({ answers: { [name_id]: text.slice(0, 100), [long_id]: text } }),
  })
  const { documents } = (await submitted.json()) as { documents?: { report?: string } }
  if (!documents?.report) return { status: submitted.status, elapsed_ms: 0 }
  const began = performance.now()
  const response = await fetch(site.origin + documents.report, { headers: from })
  await response.arrayBuffer()
  return { status: response.status, elapsed_ms: performance.now() - began }
}

const drawText =
  (unit: string) =>
  async (context: AttackContext): Promise<string[]> => {
    const site = await context.measured()
    const { client } = await site.creator()
    const quiz = await publishWithDocuments(client)
    await readDocument(site, quiz, 'a ')
    const { status, elapsed_ms } = await readDocument(site, quiz, unit)
    context.note(`${status} in ${elapsed_ms.toFixed(0)} ms`)
    return [
      ...(status === 200 ? [] : [`the report is answered ${status}`]),
      ...(elapsed_ms > MAX_DOCUMENT_MS ? [`the report takes ${elapsed_ms.toFixed(0)} ms`] : []),
    ]
  }

/** Replies that fail or delay the report of their own run. */
export const documentTexts: Attack[] = TEXTS.map(([name, unit]) => ({
  name: `a report is broken by ${name}`,
  run: drawText(unit),
}))
