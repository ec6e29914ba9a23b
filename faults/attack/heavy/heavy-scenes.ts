import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Client } from '#contract/client/client.ts'
import { type AttackContext, assertPrecondition } from '../attack.ts'
import type { MeasuredSite } from '../measured-site.ts'

/** Creator who attacks, with the site. */
export type Attacker = { site: MeasuredSite; client: Client; access_token: string }

/** Limits that hold for other people during every attack, on two cores. */
const MAX_PAGE_P95_MS = 300
const MAX_SAVE_MS = 1_000
const MAX_DOCUMENT_MS = 5_000
const MAX_GROWTH_MB = 200
/** Growth that may remain after an attack, because caches keep what they may. */
const MAX_REMAINING_MB = 100
/** Rounds of an attack; a delay that occurs in each of them is caused by the product. */
const ROUNDS = 2
const CALL_MS = 240_000

/** Answer to a call of an attacker. */
export type Answer = {
  status: number
  ms: number
  retry_after: number
  bytes: Buffer
  type: string
}

export type CallInput = {
  method?: string
  path: string
  body?: unknown
  token?: string
  network?: string
  signal?: AbortSignal
}

/** Calls the site as an attacker and reads the whole answer. */
export const callAs = async (
  { origin }: Pick<MeasuredSite, 'origin'>,
  { method = 'GET', path, body, token, network, signal }: CallInput,
): Promise<Answer> => {
  const began = performance.now()
  const response = await fetch(origin + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(network !== undefined && { 'x-forwarded-for': network }),
    },
    signal: signal ?? AbortSignal.timeout(CALL_MS),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return {
    bytes: Buffer.from(await response.arrayBuffer()),
    status: response.status,
    ms: performance.now() - began,
    retry_after: Number(response.headers.get('retry-after') ?? 0),
    type: response.headers.get('content-type') ?? '',
  }
}

/** Creates a creator who attacks. */
export const createAttacker = async (context: AttackContext): Promise<Attacker> => {
  const site = await context.measured()
  return { site, ...(await site.creator()) }
}

/** Returns « 3 × 200, 2 × 503 ». */
export const countStatuses = (answers: readonly Pick<Answer, 'status'>[]): string =>
  [...Map.groupBy(answers, ({ status }) => status)]
    .map(([status, { length }]) => `${length} × ${status}`)
    .join(', ')

/** Returns the successes that lie in the answers: server errors, and refusals without a time. */
export const judgeAnswers = (answers: readonly Answer[]): string[] => {
  const successes: string[] = []
  if (answers.some(({ status }) => status >= 500 && status !== 503)) successes.push('a 5xx')
  const refused = answers.filter(({ status }) => status === 503 || status === 429)
  if (refused.some(({ retry_after }) => retry_after <= 0))
    successes.push('a refusal does not say when to come again')
  return successes
}

/**
 * Runs an attack while others use the product. Notes the figures and returns the successes of the attacker together
 * with the value of the first round.
 */
export const measureAttack = async <T>(
  context: AttackContext,
  work: () => Promise<T>,
): Promise<{ value: T; successes: string[] }> => {
  const site = await context.measured()
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const { value: measured, ...others } = await site.measureOtherUsers(() => site.measure(work), {
      has_documents: true,
    })
    const late: string[] = []
    const ms = (figure: number): number => Math.round(figure)
    if (others.page_p95_ms > MAX_PAGE_P95_MS) late.push(`a page takes ${ms(others.page_p95_ms)} ms`)
    if (others.save_max_ms > MAX_SAVE_MS) late.push(`a save takes ${ms(others.save_max_ms)} ms`)
    if (others.document_max_ms > MAX_DOCUMENT_MS)
      late.push(`another document takes ${ms(others.document_max_ms)} ms`)
    rounds.push({ ...measured, late })
    context.note(
      `page ${ms(others.page_p95_ms)} ms, save ${ms(others.save_max_ms)} ms, document ${ms(others.document_max_ms)} ms, loop ${ms(measured.loop_ms)} ms, ${ms(measured.growth_mb)} MB`,
    )
    if (late.length === 0) break
  }
  const [first] = rounds
  const best = rounds.toSorted((a, b) => a.late.length - b.late.length)[0]
  if (!first || !best) throw new Error('no round was made')
  const remaining_mb = await site.settleMemory(first.start_mb, MAX_REMAINING_MB)
  context.note(`${Math.round(remaining_mb)} MB remain`)
  return {
    value: first.value,
    successes: [
      ...best.late,
      ...(first.growth_mb > MAX_GROWTH_MB
        ? [`memory grows by ${Math.round(first.growth_mb)} MB`]
        : []),
      ...(remaining_mb > MAX_REMAINING_MB ? [`${Math.round(remaining_mb)} MB remain`] : []),
    ],
  }
}

/** Published questionnaire with reports and long replies. */
export type LongQuiz = { id: string; name_id: string; long_ids: string[] }

/** Length of a reply and number of long replies whose documents cost as much as a document may. */
const MAX_REPLY = 10_000
const NB_LONG_REPLIES = 4

/** Publishes a questionnaire that asks for a name and for long texts, and whose report shows the replies. */
export const publishLongQuiz = async (client: Client): Promise<LongQuiz> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Récits', type: 'sondage' } })
  const { id } = quiz
  const name_id = randomUUID()
  const long_ids = Array.from({ length: NB_LONG_REPLIES }, () => randomUUID())
  await client.questions.saveDraft({
    id,
    body: {
      questions: [
        {
          id: name_id,
          text: 'Votre nom ?',
          type: 'text',
          contact_role: 'first_name',
          is_required: false,
        },
        ...long_ids.map((long_id, rank) => ({
          id: long_id,
          text: `Racontez (${rank + 1}).`,
          type: 'textarea' as const,
          is_required: false,
        })),
      ],
    },
  })
  await client.quizzes.update({ id, body: { report: 'replies' } })
  await client.quizzes.publish({ id })
  return { id, name_id, long_ids }
}

/** Submits long replies of a repeated unit. Returns the id of the participant and the path of the report. */
export const submitLong = async (
  site: MeasuredSite,
  { id, name_id, long_ids }: LongQuiz,
  {
    name = 'Ada',
    unit,
    network = '203.0.113.40',
  }: { name?: string; unit: string; network?: string },
): Promise<{ participant_uuid: string; report: string }> => {
  const text = unit.repeat(MAX_REPLY).slice(0, MAX_REPLY)
  const answers = Object.fromEntries(long_ids.map((long_id) => [long_id, text]))
  const body = { answers: { ...answers, [name_id]: name } }
  const path = `/api/v1/quizzes/${id}/submit`
  const answer = await callAs(site, { method: 'POST', path, body, network })
  const { participant_uuid, documents } = JSON.parse(answer.bytes.toString()) as {
    participant_uuid?: string
    documents?: { report?: string }
  }
  assertPrecondition(
    participant_uuid !== undefined && documents?.report !== undefined,
    `a submission gives a report (${answer.status})`,
  )
  return { participant_uuid: participant_uuid ?? '', report: documents?.report ?? '' }
}

/** Runs statements on the database of the site, for states that would take hours to reach over HTTP. */
export const inDatabase = async <T>(
  { installation }: MeasuredSite,
  work: (database: pg.Client) => Promise<T>,
): Promise<T> => {
  const database = new pg.Client(installation.connection)
  await database.connect()
  try {
    return await work(database)
  } finally {
    await database.end()
  }
}
