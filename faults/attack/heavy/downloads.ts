import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import type { MeasuredSite } from '../measured-site.ts'
import {
  type Answer,
  type Attacker,
  callAs,
  countStatuses,
  createAttacker,
  inDatabase,
  judgeAnswers,
  measureAttack,
  publishLongQuiz,
  submitLong,
} from './heavy-scenes.ts'

const NETWORK = '203.0.113.50'
const NB_VERSIONS = 400
const VERSIONS_AT_ONCE = 20
const NB_PARTICIPANTS = 5_000
const NB_EXPORTS_AT_ONCE = 3

/**
 * Adds versions of 800 kB to a quiz, and a participant of each; over HTTP this would take an hour. A question has the large
 * text, because figures and exports leave out the texts of pages.
 */
export const addLargeVersions = (site: MeasuredSite, quiz_id: string, count: number) =>
  inDatabase(site, async (database) => {
    for (let first = 2; first <= count; first += VERSIONS_AT_ONCE)
      await database.query(
        `insert into quiz_versions (quiz_id, version, snapshot, image_ids, choice_questions, text_questions, nb_responses)
         select quiz_id, rank, jsonb_set(snapshot, '{questions,0,help_text}', to_jsonb(repeat('Texte ', 133000))),
           image_ids, choice_questions, text_questions, 1
         from quiz_versions, generate_series($2::int, $3) as rank where quiz_id = $1 and version = 1`,
        [quiz_id, first, Math.min(count, first + VERSIONS_AT_ONCE - 1)],
      )
    await database.query(
      `insert into responses (quiz_id, participant_uuid, version, result_position, choices, texts, email)
       select $1, gen_random_uuid(), rank, 0, '{0}', '{camille@exemple.fr}', 'camille@exemple.fr'
       from generate_series(2, $2::int) as rank`,
      [quiz_id, count],
    )
  })

/** Adds participants of the first version of a quiz. */
const addParticipants = (site: MeasuredSite, quiz_id: string, count: number) =>
  inDatabase(site, async (database) => {
    await database.query(
      `insert into responses (quiz_id, participant_uuid, version, result_position, choices, texts)
       select $1, gen_random_uuid(), 1, 0, '{0}', array['p' || rank || '@exemple.fr']
       from generate_series(1, $2::int) as rank`,
      [quiz_id, count],
    )
    await database.query(
      'update quiz_versions set nb_responses = nb_responses + $2 where quiz_id = $1 and version = 1',
      [quiz_id, count],
    )
  })

const exportAccounts = async (context: AttackContext): Promise<string[]> => {
  const { site, client, access_token: token } = await createAttacker(context)
  const quiz = await publishedScoreQuiz(client)
  await addLargeVersions(site, quiz.id, NB_VERSIONS)
  const { value, successes } = await measureAttack(context, () =>
    Promise.all(
      Array.from({ length: NB_EXPORTS_AT_ONCE }, () =>
        drain(site, '/api/v1/account/export', token),
      ),
    ),
  )
  context.note(countStatuses(value))
  const complete = value.filter(({ status, is_complete }) => status === 200 && is_complete)
  context.note(`${complete.length} complete`)
  const nb_succeeded = value.filter(({ status }) => status === 200).length
  return [
    ...successes,
    ...judgeAnswers(value),
    ...(nb_succeeded === 0 ? ['no export succeeds'] : []),
    ...(complete.length < nb_succeeded ? ['an export ends early'] : []),
  ]
}

/** Downloads a file without keeping its bytes. `is_complete` is true if the JSON ends. */
const drain = async (
  site: MeasuredSite,
  path: string,
  token: string,
): Promise<Answer & { is_complete: boolean }> => {
  const began = performance.now()
  const response = await fetch(site.origin + path, {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': NETWORK },
  })
  let last = ''
  for await (const bytes of response.body ?? [])
    last = (last + Buffer.from(bytes as Uint8Array).toString('latin1')).slice(-10)
  return {
    status: response.status,
    ms: performance.now() - began,
    bytes: Buffer.from(last),
    retry_after: Number(response.headers.get('retry-after') ?? 0),
    type: response.headers.get('content-type') ?? '',
    is_complete: last.endsWith(']}'),
  }
}

/** Creates the link of an export and downloads it. */
const downloadExport = async (
  { site, access_token: token }: Attacker,
  id: string,
  signal?: AbortSignal,
): Promise<Answer> => {
  const body = { format: 'xlsx', choices: 'joined' }
  const path = `/api/v1/quizzes/${id}/exports`
  const link = await callAs(site, { method: 'POST', path, body, token })
  if (link.status > 201) return link
  const { url } = JSON.parse(link.bytes.toString()) as { url: string }
  return callAs(site, { path: url, network: NETWORK, ...(signal && { signal }) })
}

/** Text with about 300,000 characters, whose parsing takes a second. */
const IMPORTED = `# Trop\nType : sondage\n\n## Page 1\n\n### Et vous ?\n${'- a\n'.repeat(73_000)}`
const importText = (
  { site, access_token: token }: Attacker,
  signal?: AbortSignal,
): Promise<Answer> =>
  callAs(site, {
    method: 'POST',
    path: '/api/v1/quizzes/import',
    body: { text: IMPORTED },
    token,
    ...(signal && { signal }),
  })

const replay = (
  { site, access_token: token }: Attacker,
  id: string,
  signal?: AbortSignal,
): Promise<Answer> =>
  callAs(site, { path: `/api/v1/quizzes/${id}/replay`, token, ...(signal && { signal }) })

/** Creates an attacker with a quiz of thousands of participants. */
const createLargeQuiz = async (
  context: AttackContext,
): Promise<{ attacker: Attacker; quiz: SampleQuiz }> => {
  const attacker = await createAttacker(context)
  const quiz = await publishedScoreQuiz(attacker.client)
  await addParticipants(attacker.site, quiz.id, NB_PARTICIPANTS)
  return { attacker, quiz }
}

const MAX_OTHER_EXPORT_MS = 5_000
const NB_OF_EACH = 8

const mixDownloads = async (context: AttackContext): Promise<string[]> => {
  const { attacker, quiz } = await createLargeQuiz(context)
  const other = await createAttacker(context)
  const own = await publishedScoreQuiz(other.client)
  await addParticipants(other.site, own.id, 20)
  assertPrecondition((await downloadExport(other, own.id)).status === 200, 'no export works')
  const { value, successes } = await measureAttack(context, async () => {
    const attacks = Array.from({ length: NB_OF_EACH }, () => [
      downloadExport(attacker, quiz.id),
      importText(attacker),
      replay(attacker, quiz.id),
    ]).flat()
    await pause(300)
    const victim = await downloadExport(other, own.id)
    return { victim, answers: await Promise.all(attacks) }
  })
  const { victim, answers } = value
  context.note(
    `${countStatuses(answers)}; other export ${victim.status} in ${Math.round(victim.ms)} ms`,
  )
  return [
    ...successes,
    ...judgeAnswers(answers),
    ...(victim.status === 200 ? [] : [`another export is answered ${victim.status}`]),
    ...(victim.ms > MAX_OTHER_EXPORT_MS
      ? [`another export takes ${Math.round(victim.ms)} ms`]
      : []),
  ]
}

const MAX_LEAVE_MS = 5_000
const CALLS_UNTIL_SEEN = 200

/** Starts a job, leaves it while it runs, and waits until it holds no place. */
const leave = async (
  site: MeasuredSite,
  kind: string,
  start: (signal: AbortSignal) => Promise<unknown>,
): Promise<{ has_run: boolean; ended_ms: number }> => {
  const left = new AbortController()
  let isOver = false
  const call = start(left.signal)
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  let has_run = false
  for (let nr = 0; nr < CALLS_UNTIL_SEEN && !isOver && !has_run; nr++)
    has_run = (await site.countRunning(kind)) > 0
  left.abort()
  const began = performance.now()
  await call
  while ((await site.countRunning(kind)) > 0 && performance.now() - began < 4 * MAX_LEAVE_MS)
    await pause(50)
  return { has_run, ended_ms: performance.now() - began }
}

const leaveJobs = async (context: AttackContext): Promise<string[]> => {
  const { attacker, quiz } = await createLargeQuiz(context)
  const { site, client, access_token: token } = attacker
  const long = await publishLongQuiz(client)
  const { participant_uuid, report } = await submitLong(site, long, { unit: 'नमस्ते ' })
  await addLargeVersions(site, quiz.id, 100)
  const zip = async (signal: AbortSignal): Promise<Answer> => {
    const path = `/api/v1/quizzes/${long.id}/documents`
    const body = { file: 'zip', participant_uuids: [participant_uuid] }
    const link = await callAs(site, { method: 'POST', path, body, token })
    return callAs(site, { path: JSON.parse(link.bytes.toString()).url, signal })
  }
  const jobs: [kind: string, start: (signal: AbortSignal) => Promise<unknown>][] = [
    ['document', (signal) => callAs(site, { path: report, network: NETWORK, signal })],
    ['zip', zip],
    ['export', (signal) => downloadExport(attacker, quiz.id, signal)],
    ['import', (signal) => importText(attacker, signal)],
    ['replay', (signal) => replay(attacker, quiz.id, signal)],
    ['account_export', (signal) => callAs(site, { path: '/api/v1/account/export', token, signal })],
  ]
  const successes: string[] = []
  for (const [kind, start] of jobs) {
    const { has_run, ended_ms } = await leave(site, kind, start)
    context.note(`${kind} ${has_run ? `${Math.round(ended_ms)} ms` : 'too quick'}`)
    if (ended_ms > MAX_LEAVE_MS)
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
