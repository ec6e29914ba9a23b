import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import type { MeasuredSite } from '../measured-site.ts'
import { postForm } from './post-form.ts'

/** Longest delay of the event loop that counts as resistance; the machine itself causes some of it. */
const MAX_LOOP_MS = 250
const MAX_GROWTH_MB = 250
const MAX_FILTER_GROWTH_MB = 120
const NB_FORMS = 60
const NB_PUBLICATIONS = 8
const NB_FILTERS = 45
const NB_DOCUMENTS = 6
/** Lines of a list in one text block; a list is the costliest text to parse. */
const LINES_PER_BLOCK = 480

type Creator = { client: Client; access_token: string }

/** Calls the API as a creator and returns the status. */
const call = async (
  { origin }: MeasuredSite,
  { access_token }: Creator,
  [method, path, body]: [method: string, path: string, body?: unknown],
): Promise<number> => {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(120_000),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  await response.arrayBuffer()
  return response.status
}

/** Creates a draft with as many different lists as it may have. Returns its ids. */
const createLargeDraft = async (
  site: MeasuredSite,
  creator: Creator,
  mark = 'a',
): Promise<{ id: string; question_id: string }> => {
  const { quiz } = await creator.client.quizzes.create({
    body: { name: 'Listes', type: 'sondage' },
  })
  const question_id = randomUUID()
  const save = (nb_blocks: number) =>
    call(site, creator, [
      'POST',
      `/quizzes/${quiz.id}/questions/unified/smart`,
      {
        questions: [{ id: question_id, text: 'Et vous ?', type: 'text' }],
        text_blocks: Array.from({ length: nb_blocks }, (_, rank) => ({
          id: randomUUID(),
          content: `${mark}${rank}\n\n${'- a\n'.repeat(LINES_PER_BLOCK)}`,
          page_number: 2,
        })),
      },
    ])
  let nb_blocks = 60
  while (nb_blocks > 0 && (await save(nb_blocks)) !== 200) nb_blocks = Math.floor(nb_blocks * 0.8)
  assertPrecondition(nb_blocks > 10, 'no large draft is accepted')
  return { id: quiz.id, question_id }
}

const describeLoad = (
  context: AttackContext,
  { loop_ms, growth_mb }: { loop_ms: number; growth_mb: number },
  statuses: readonly number[],
  max_growth_mb = MAX_GROWTH_MB,
): string[] => {
  const kinds = [...new Set(statuses)].map(
    (status) => `${statuses.filter((other) => other === status).length} × ${status}`,
  )
  context.note(
    `event loop ${Math.round(loop_ms)} ms, ${Math.round(growth_mb)} MB, answers ${kinds.join(', ')}`,
  )
  return [
    ...(loop_ms > MAX_LOOP_MS ? [`the event loop waits ${Math.round(loop_ms)} ms`] : []),
    ...(growth_mb > max_growth_mb ? [`${Math.round(growth_mb)} MB of memory`] : []),
    ...(statuses.some((status) => status >= 500 && status !== 503) ? ['an answer of 5xx'] : []),
  ]
}

/** Changes a published draft, so that its next version is in no memory, and publishes it without a visit. */
const postFormsToColdVersion = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const creator = await site.creator()
  const { id, question_id } = await createLargeDraft(site, creator)
  assertPrecondition(
    (await call(site, creator, ['POST', `/quizzes/${id}/publish`])) < 300,
    'published',
  )
  const measured = await site.measure(() =>
    Promise.all(
      Array.from({ length: NB_FORMS }, () => postForm(site, id, { [question_id]: 'oui' })),
    ),
  )
  return describeLoad(
    context,
    measured,
    measured.value.map(({ status }) => status),
  )
}

const publishAtOnce = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const creator = await site.creator()
  const drafts: string[] = []
  for (let rank = 0; rank < NB_PUBLICATIONS; rank++)
    drafts.push((await createLargeDraft(site, creator, `p${rank}`)).id)
  const measured = await site.measure(() =>
    site.measureOtherUsers(() =>
      Promise.all(drafts.map((id) => call(site, creator, ['POST', `/quizzes/${id}/publish`]))),
    ),
  )
  const { value: statuses, save_max_ms, page_p95_ms } = measured.value
  context.note(`others: saves ≤ ${Math.round(save_max_ms)} ms, pages ${Math.round(page_p95_ms)} ms`)
  const refusals = statuses.includes(200) ? [] : ['no publication succeeds']
  return [...describeLoad(context, measured, statuses), ...refusals]
}

const filterByManyDates = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const creator = await site.creator()
  const { id, question_id } = await createLargeDraft(site, creator)
  await call(site, creator, ['POST', `/quizzes/${id}/publish`])
  await site.measure(() =>
    call(site, creator, ['POST', `/quizzes/${id}/submit`, { answers: { [question_id]: 'oui' } }]),
  )
  const dayOf = (rank: number): string =>
    new Date(Date.UTC(2020, 0, 1 + rank)).toISOString().slice(0, 10)
  const measured = await site.measure(async () => {
    const statuses: number[] = []
    for (let rank = 0; rank < NB_FILTERS; rank++)
      statuses.push(
        await call(site, creator, [
          'GET',
          `/quizzes/${id}/responses?figures=1&from=${dayOf(rank)}`,
        ]),
      )
    return statuses
  })
  return describeLoad(context, measured, measured.value, MAX_FILTER_GROWTH_MB)
}

/** Tests of result mails parse the same texts as result mails, and each goes to the creator at once. */
const sendManyMails = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measured()
  const creators: Creator[] = []
  const drafts: string[] = []
  for (let rank = 0; rank < NB_DOCUMENTS; rank++) {
    const creator = await site.creator()
    creators.push(creator)
    drafts.push((await createLargeDraft(site, creator, `m${rank}`)).id)
  }
  const text = `Bonjour,\n\n${'- a\n'.repeat(LINES_PER_BLOCK)}`
  const measured = await site.measure(() =>
    Promise.all(
      creators.map((creator, rank) =>
        call(site, creator, [
          'POST',
          `/quizzes/${drafts[rank]}/mails/test`,
          { subject: 'Merci', text },
        ]),
      ),
    ),
  )
  return describeLoad(context, measured, measured.value)
}

/** Attacks with the largest versions, which are compiled, published, mailed or counted at once. */
export const coldVersions: Attack[] = [
  { name: '60 form posts on a cold version', run: postFormsToColdVersion },
  { name: '8 publications at once', run: publishAtOnce },
  { name: '45 date filters', run: filterByManyDates },
  { name: '6 result mails', run: sendManyMails },
]
