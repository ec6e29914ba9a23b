import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { describeStatuses, findBadRefusals, findExcesses } from '../runner/limits.ts'
import type { Account, MeasuredSite } from '../runner/measured-site.ts'
import { type Answer, MAX_QUEUED_ANSWER_MS, send } from '../runner/requests.ts'
import { addLargeVersions, addParticipantRows } from './database-rows.ts'
import { publishLongQuiz, submitLongReplies } from './long-quiz.ts'
import { measureAttack } from './measure-attack.ts'

const NETWORK = '203.0.113.50'
const NB_VERSIONS = 400
const NB_PARTICIPANTS = 5_000
const NB_EXPORTS_AT_ONCE = 3

/** Answer whose bytes were not kept, because exports are larger than the memory of this process. */
type ExportAnswer = Omit<Answer, 'bytes' | 'text' | 'json'> & { isComplete: boolean }

/** Downloads the export of an account. `isComplete` is true if the JSON ends. */
const exportAccount = async ({ site, access_token }: Account): Promise<ExportAnswer> => {
  const began = performance.now()
  const response = await fetch(`${site.origin}/api/v1/account/export`, {
    headers: { authorization: `Bearer ${access_token}`, 'x-forwarded-for': NETWORK },
  })
  let end = ''
  for await (const bytes of response.body ?? [])
    end = (end + Buffer.from(bytes as Uint8Array).toString('latin1')).slice(-10)
  const { status, headers } = response
  return { status, headers, ms: performance.now() - began, isComplete: end.endsWith(']}') }
}

const exportAccounts = async (context: AttackContext): Promise<string[]> => {
  const account = await context.openAccount()
  const quiz = await publishedScoreQuiz(account.client)
  await addLargeVersions(account.site, quiz.id, NB_VERSIONS)
  const { value: answers, successes } = await measureAttack(context, () =>
    Promise.all(Array.from({ length: NB_EXPORTS_AT_ONCE }, () => exportAccount(account))),
  )
  const accepted = answers.filter(({ status }) => status === 200)
  const nb_complete = accepted.filter(({ isComplete }) => isComplete).length
  context.note(`${describeStatuses(answers)}, ${nb_complete} complete`)
  return [
    ...successes,
    ...findBadRefusals(answers),
    ...(accepted.length === 0 ? ['no export succeeds'] : []),
    ...(nb_complete < accepted.length ? ['an export ends early'] : []),
  ]
}

/** Creates the link of an export and downloads it. Returns the refusal if no link is created. */
const downloadExport = async (
  { site, call }: Account,
  id: string,
  signal?: AbortSignal,
): Promise<Answer> => {
  const body = { format: 'xlsx', choices: 'joined' }
  const link = await call(`/api/v1/quizzes/${id}/exports`, { body })
  if (link.status > 201) return link
  const url = site.origin + String(link.json.url)
  return send(url, { network: NETWORK, signal, timeout_ms: MAX_QUEUED_ANSWER_MS })
}

/** Text with about 300,000 characters, whose parsing takes a second. */
const LONG_TEXT = `# Trop\nType : sondage\n\n## Page 1\n\n### Et vous ?\n${'- a\n'.repeat(73_000)}`
const importText = ({ call }: Account, signal?: AbortSignal): Promise<Answer> =>
  call('/api/v1/quizzes/import', { body: { text: LONG_TEXT }, signal })

const replay = ({ call }: Account, id: string, signal?: AbortSignal): Promise<Answer> =>
  call(`/api/v1/quizzes/${id}/replay`, { signal })

/** Creates an account with a quiz that has many participants. */
const createAnsweredQuiz = async (
  context: AttackContext,
  nb_participants: number,
): Promise<{ account: Account; quiz: SampleQuiz }> => {
  const account = await context.openAccount()
  const quiz = await publishedScoreQuiz(account.client)
  await addParticipantRows(account.site, quiz.id, nb_participants)
  return { account, quiz }
}

const OTHER_EXPORT_LIMITS = { answer_ms: 5_000 }
const NB_OF_EACH = 8

const mixDownloads = async (context: AttackContext): Promise<string[]> => {
  const { account: attacker, quiz } = await createAnsweredQuiz(context, NB_PARTICIPANTS)
  const { account: other, quiz: other_quiz } = await createAnsweredQuiz(context, 20)
  const exportOfOther = () => downloadExport(other, other_quiz.id)
  assertPrecondition((await exportOfOther()).status === 200, 'no export works')
  const { value, successes } = await measureAttack(context, async () => {
    const attacks = Array.from({ length: NB_OF_EACH }, () => [
      downloadExport(attacker, quiz.id),
      importText(attacker),
      replay(attacker, quiz.id),
    ]).flat()
    await pause(300)
    return { other_export: await exportOfOther(), answers: await Promise.all(attacks) }
  })
  const { other_export, answers } = value
  const { status, ms } = other_export
  context.note(`${describeStatuses(answers)}; other export ${status} in ${Math.round(ms)} ms`)
  return [
    ...successes,
    ...findBadRefusals(answers),
    ...(status === 200 ? [] : [`another export is answered ${status}`]),
    ...findExcesses({ answer_ms: ms }, OTHER_EXPORT_LIMITS, 'export of another creator'),
  ]
}

/** Maximum time for which a job runs after its caller has left. */
const MAX_ABORT_MS = 5_000
/** Number of times that the metrics are read until the job is seen. */
const MAX_METRICS_CALLS = 200

/** Starts a job, closes the connection while the job runs, and waits until the job has ended. */
const abortJob = async (
  site: MeasuredSite,
  kind: string,
  start: (signal: AbortSignal) => Promise<unknown>,
): Promise<{ has_run: boolean; ended_ms: number }> => {
  const controller = new AbortController()
  let isOver = false
  const call = start(controller.signal)
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  let has_run = false
  for (let nr = 0; nr < MAX_METRICS_CALLS && !isOver && !has_run; nr++)
    has_run = (await site.countRunning(kind)) > 0
  controller.abort()
  const began = performance.now()
  await call
  while ((await site.countRunning(kind)) > 0 && performance.now() - began < 4 * MAX_ABORT_MS)
    await pause(50)
  return { has_run, ended_ms: performance.now() - began }
}

const leaveJobs = async (context: AttackContext): Promise<string[]> => {
  const { account, quiz } = await createAnsweredQuiz(context, NB_PARTICIPANTS)
  const { site, client, call } = account
  const long = await publishLongQuiz(client)
  const { participant_uuid, report } = await submitLongReplies(site, long, { unit: 'नमस्ते ' })
  await addLargeVersions(site, quiz.id, 100)
  const downloadZip = async (signal: AbortSignal): Promise<Answer> => {
    const body = { file: 'zip', participant_uuids: [participant_uuid] }
    const { json } = await call(`/api/v1/quizzes/${long.id}/documents`, { body })
    return send(site.origin + String(json.url), { signal })
  }
  const jobs: [kind: string, start: (signal: AbortSignal) => Promise<unknown>][] = [
    ['document', (signal) => send(site.origin + report, { network: NETWORK, signal })],
    ['zip', downloadZip],
    ['export', (signal) => downloadExport(account, quiz.id, signal)],
    ['import', (signal) => importText(account, signal)],
    ['replay', (signal) => replay(account, quiz.id, signal)],
    ['account_export', (signal) => call('/api/v1/account/export', { signal })],
  ]
  const successes: string[] = []
  for (const [kind, start] of jobs) {
    const { has_run, ended_ms } = await abortJob(site, kind, start)
    context.note(`${kind} ${has_run ? `${Math.round(ended_ms)} ms` : 'too quick'}`)
    if (ended_ms > MAX_ABORT_MS)
      successes.push(`${kind} still runs ${Math.round(ended_ms)} ms after its caller left`)
  }
  return successes
}

/** Attacks with downloads, imports and replays. */
export const downloadQueues: Attack[] = [
  { name: 'account exports of many versions at once', run: exportAccounts },
  { name: 'exports, imports and replays of one creator at once', run: mixDownloads },
  { name: 'callers of heavy work leave', run: leaveJobs },
]
