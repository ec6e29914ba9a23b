import type { Attack, AttackContext } from '../runner/attack.ts'
import {
  describeFigures,
  describeStatuses,
  type Figures,
  findExcesses,
  findServerErrors,
} from '../runner/limits.ts'
import type { Account } from '../runner/measured-site.ts'
import { postForm, submit } from '../runner/requests.ts'
import { createLargeDraft, LONG_LIST, publish } from './large-drafts.ts'

/** Limits of an attack; the machine itself causes some of the delay. */
const LIMITS = { loop_ms: 250, growth_mb: 250 }
const FILTER_LIMITS = { ...LIMITS, growth_mb: 120 }
const NB_FORMS = 60
const NB_PUBLICATIONS = 8
const NB_FILTERS = 45
const NB_MAILS = 6

/** Creates a draft with as many different lists as it may have. `mark` makes the lists differ from those of other drafts. */
const createDraftOfLists = (account: Account, mark = 'a') =>
  createLargeDraft(account, (rank) => `${mark}${rank}\n\n${LONG_LIST}`, { min_blocks: 11 })

/** Notes the figures of an attack. Returns the limits that were exceeded, and server errors. */
const judgeLoad = (
  context: AttackContext,
  { loop_ms, growth_mb, value }: Figures & { value: { status: number }[] },
  limits: Figures = LIMITS,
): string[] => {
  context.note(`${describeFigures({ loop_ms, growth_mb })}, ${describeStatuses(value)}`)
  return [...findExcesses({ loop_ms, growth_mb }, limits), ...findServerErrors(value)]
}

/** Posts forms to a version that is in no cache, because its page was never opened. */
const postFormsToColdVersion = async (context: AttackContext): Promise<string[]> => {
  const account = await context.openAccount()
  const { site } = account
  const { id, question_id } = await createDraftOfLists(account)
  await publish(account, id)
  const measured = await site.measure(() =>
    Promise.all(
      Array.from({ length: NB_FORMS }, () => postForm(site.origin, id, { [question_id]: 'oui' })),
    ),
  )
  return judgeLoad(context, measured)
}

const publishAtOnce = async (context: AttackContext): Promise<string[]> => {
  const account = await context.openAccount()
  const { site, call } = account
  const ids: string[] = []
  for (let rank = 0; rank < NB_PUBLICATIONS; rank++)
    ids.push((await createDraftOfLists(account, `p${rank}`)).id)
  const { value: others, ...measured } = await site.measure(() =>
    site.measureOtherUsers(() =>
      Promise.all(ids.map((id) => call(`/api/v1/quizzes/${id}/publish`, { method: 'POST' }))),
    ),
  )
  const { value, page_p95_ms, save_max_ms } = others
  context.note(`others: ${describeFigures({ page_p95_ms, save_max_ms })}`)
  const isAnyPublished = value.some(({ status }) => status === 200)
  return [
    ...judgeLoad(context, { ...measured, value }),
    ...(isAnyPublished ? [] : ['no publication succeeds']),
  ]
}

const filterByManyDates = async (context: AttackContext): Promise<string[]> => {
  const account = await context.openAccount()
  const { site, call } = account
  const { id, question_id } = await createDraftOfLists(account)
  await publish(account, id)
  await submit(site.origin, id, { answers: { [question_id]: 'oui' } })
  const dayOf = (rank: number): string =>
    new Date(Date.UTC(2020, 0, 1 + rank)).toISOString().slice(0, 10)
  const measured = await site.measure(async () => {
    const answers: { status: number }[] = []
    for (let rank = 0; rank < NB_FILTERS; rank++)
      answers.push(await call(`/api/v1/quizzes/${id}/responses?figures=1&from=${dayOf(rank)}`))
    return answers
  })
  return judgeLoad(context, measured, FILTER_LIMITS)
}

/** Sends tests of result mails, which parse the same texts as result mails and are sent at once. */
const sendTestMails = async (context: AttackContext): Promise<string[]> => {
  const site = await context.measuredSite()
  const senders: { account: Account; id: string }[] = []
  for (let rank = 0; rank < NB_MAILS; rank++) {
    const account = await context.openAccount()
    senders.push({ account, id: (await createDraftOfLists(account, `m${rank}`)).id })
  }
  const body = { subject: 'Merci', text: `Bonjour,\n\n${LONG_LIST}` }
  const measured = await site.measure(() =>
    Promise.all(
      senders.map(({ account, id }) => account.call(`/api/v1/quizzes/${id}/mails/test`, { body })),
    ),
  )
  return judgeLoad(context, measured)
}

/** Attacks with the largest versions, which are compiled, published, mailed or counted at once. */
export const coldVersions: Attack[] = [
  { name: '60 form posts on a cold version', run: postFormsToColdVersion },
  { name: '8 publications at once', run: publishAtOnce },
  { name: '45 date filters', run: filterByManyDates },
  { name: '6 result mails', run: sendTestMails },
]
