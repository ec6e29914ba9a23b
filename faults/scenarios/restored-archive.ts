import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#contract/client/client.ts'
import { freePort } from '#server/testing/network/proxies/free-port.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUp } from '../../bench/creator.ts'
import { fill, makeQuiz } from '../../bench/statistics/participants.ts'
import { clientOf } from '../../scripts/http-client.ts'
import {
  checkArchiveMetric,
  checkNewerDraft,
  checkSealedValues,
  compareSubmissions,
  formatMegabytes,
  openSite,
  type Round,
  type RunningSite,
  restoreSite,
} from '../pitr/restored-site.ts'
import { openWalArchive, type WalArchive } from '../pitr/wal-archive.ts'
import { checkRepeatedSubmissions, checkSaves } from '../runner/compare-with-database.ts'
import { cleanUpAll } from '../runner/installation.ts'
import { type Load, startLoad, submissionOf } from '../runner/load.ts'
import { listProcessesWith, signalAll } from '../runner/processes.ts'
import { createRequestLog, type RequestLog } from '../runner/request-log.ts'
import {
  addFailure,
  createResult,
  formatSeconds,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../runner/scenario.ts'
import { connectToDatabase } from './delivery-load.ts'

/** Participants that are stored before each round, so that backups and restores have a realistic size. */
const NB_STORED = 200_000
/** Participants of the quiz that is deleted by mistake. */
const NB_DELETED = 20
/** Duration of the load before the mistake, and again after it. */
const LOAD_MS = 4_000
/** Limits of the random time from the restore to the loss of the machine. */
const MIN_BEFORE_LOSS_MS = 5_000
const MAX_BEFORE_LOSS_MS = 70_000
/** Maximum time to send a closed segment to the archive. */
const MAX_SENDING_MS = 5_000
/** Load by few visitors, so that `archive_timeout` closes segments before they are full. */
const FEW_VISITORS = { visitors: 2, think_ms: 250 }

/** Point in time, with the requests that were sent and acknowledged before. */
type Moment = { time: Date; log: RequestLog; saves: Load['saves'] }

/**
 * Returns the current time with the requests that were sent until then. A restore to this time must contain all
 * acknowledged requests of this log, and no request from outside it.
 */
const markMoment = async (load: Load): Promise<Moment> => {
  const acknowledged = new Set(
    [...load.log.submissions]
      .filter(([, submission]) => submission.is_acknowledged)
      .map(([id]) => id),
  )
  const { nb_acknowledged } = load.saves
  const time = new Date(Date.now() + 1)
  // Requests during these milliseconds may be restored or not.
  await pause(5)
  const log = createRequestLog()
  for (const [id, { choice }] of load.log.submissions)
    log.submissions.set(id, { choice, is_acknowledged: acknowledged.has(id) })
  return { time, log, saves: { nb_acknowledged, sent: load.saves.sent } }
}

/** Creates a quiz with participants, which is deleted by mistake later. */
const createDeletedQuiz = async (origin: string, client: Client) => {
  const quiz = await publishedScoreQuiz(client)
  const log = createRequestLog()
  for (let rank = 0; rank < NB_DELETED; rank++) {
    const id = crypto.randomUUID()
    const choice = rank % 2
    const { ok } = await fetch(
      `${origin}/api/v1/quizzes/${quiz.id}/submit`,
      submissionOf(quiz, id, choice),
    )
    log.submissions.set(id, { choice, is_acknowledged: ok })
  }
  return { quiz, log }
}

/** Makes a backup under load, deletes data, and restores the moment before the deletion. */
const undoMistake = async (
  site: RunningSite,
  round: Round,
  client: Client,
): Promise<RunningSite> => {
  const { archive, result, quiz, max_recovery_ms } = round
  const deleted = await createDeletedQuiz(site.origin, client)
  const load = startLoad({ origin: site.origin, quiz, client })
  await load.waitForRecovery(performance.now(), max_recovery_ms)
  const began = performance.now()
  await archive.backUp(site.server)
  const { database, stored } = await archive.readSizes(site.server)
  result.notes.push(
    `backup of ${formatMegabytes(database)} (stored ${formatMegabytes(stored)}) in ${formatSeconds(performance.now() - began)}`,
  )
  await checkArchiveMetric(site, result)
  await pause(LOAD_MS)
  const moment = await markMoment(load)
  await client.quizzes.remove({ id: deleted.quiz.id, permanently: '1' })
  const database_client = await connectToDatabase(site.installation)
  await database_client.query('delete from responses')
  await database_client.end()
  await pause(LOAD_MS)
  const { revision } = await client.drafts.get({ id: quiz.id })
  await load.finish()
  addFailure(result, ...load.log.failures)
  if (load.log.nb_broken > 0) addFailure(result, `${load.log.nb_broken} connections were broken`)
  await site.installation.cleanUp()
  // SIGINT stops the server in order, so that it sends the rest of its WAL.
  await site.server.end('SIGINT')

  const restored = await restoreSite(round, { target: moment.time, log: moment.log })
  await site.server.cleanUp()
  const { log, saves } = moment
  await compareSubmissions(restored, { quiz, log }, result)
  await compareSubmissions(restored, deleted, result)
  addFailure(
    result,
    ...(await checkSaves(restored.installation, quiz, { ...load, saves })),
    ...(await checkRepeatedSubmissions(restored.origin, quiz, log)),
  )
  await checkSealedValues(restored, round)
  await checkNewerDraft(restored, round, revision)
  return restored
}

/** Kills the server under load and restores the end of the archive. Counts the acknowledged submissions that are lost. */
const loseMachine = async (site: RunningSite, round: Round): Promise<void> => {
  const { archive, result, access_token, max_recovery_ms } = round
  const client = clientOf(site.origin, access_token)
  const quiz = await publishedScoreQuiz(client)
  const load = startLoad({ origin: site.origin, quiz, client, ...FEW_VISITORS })
  await load.waitForRecovery(performance.now(), max_recovery_ms)
  await pause(MIN_BEFORE_LOSS_MS + Math.random() * (MAX_BEFORE_LOSS_MS - MIN_BEFORE_LOSS_MS))
  addFailure(result, ...load.log.failures)
  const lost_at = performance.now()
  // Kills the server, its sessions and the programs that send WAL.
  signalAll(listProcessesWith(`PGBACKREST_PG1_PATH=${site.server.data}`), 'SIGKILL')
  await site.server.cleanUp()
  await load.abandon()
  await site.installation.cleanUp()

  const { log } = load
  const restored = await restoreSite(round, { log: createRequestLog() })
  const missing = await listMissing(restored, quiz, log)
  const rpo_ms = Math.max(0, ...missing.map(({ acknowledged_at = 0 }) => lost_at - acknowledged_at))
  result.notes.push(`${missing.length} submissions of the last ${formatSeconds(rpo_ms)} lost`)
  const max_rpo_ms = archive.timeout_ms + MAX_SENDING_MS
  if (rpo_ms <= max_rpo_ms) for (const submission of missing) submission.is_acknowledged = false
  await compareSubmissions(restored, { quiz, log }, result)
  await checkSealedValues(restored, round)
}

/** Returns the acknowledged submissions of a log that are not stored. */
const listMissing = async (
  { installation }: RunningSite,
  quiz: SampleQuiz,
  { submissions }: RequestLog,
) => {
  const database = await connectToDatabase(installation)
  const { rows } = await database.query<{ participant_uuid: string }>(
    'select participant_uuid from responses where quiz_id = $1',
    [quiz.id],
  )
  await database.end()
  const stored = new Set(rows.map(({ participant_uuid }) => participant_uuid))
  return [...submissions].flatMap(([id, submission]) =>
    submission.is_acknowledged && !stored.has(id) ? submission : [],
  )
}

const runRound = async (
  archive: WalArchive,
  { result, max_recovery_ms }: Pick<Round, 'result' | 'max_recovery_ms'>,
): Promise<void> => {
  const port = await freePort()
  const site = await openSite(await archive.startServer(), port)
  const { client, access_token } = await signUp(site.origin)
  const database = await connectToDatabase(site.installation)
  await fill(database, { quiz_id: await makeQuiz(client), size: NB_STORED })
  await database.end()
  const quiz = await publishedScoreQuiz(client)
  const { link } = await client.statisticsLinks.create({ id: quiz.id })
  const round = {
    archive,
    result,
    max_recovery_ms,
    port,
    access_token,
    quiz,
    link_token: link.token,
  }
  await loseMachine(await undoMistake(site, round, client), round)
  result.rounds++
}

const restoreUnderLoad = async ({
  rounds,
  max_recovery_ms,
  deadline,
}: ScenarioOptions): Promise<ScenarioResult> => {
  const result = createResult()
  while (result.rounds < rounds && result.failures.length === 0 && performance.now() < deadline) {
    const archive = openWalArchive()
    try {
      await runRound(archive, { result, max_recovery_ms })
    } finally {
      await cleanUpAll()
      await archive.cleanUp()
    }
  }
  return result
}

/** Scenario G11: an archive of WAL (`ops/pitr`). */
export const restoredArchives: Scenario[] = [
  {
    fault: 'G11',
    name: 'data is deleted by mistake, and the state before is restored; then the machine is lost, and the end of the archive is restored',
    engines: ['external'],
    rounds: { full: 3, short: 0 },
    run: restoreUnderLoad,
  },
]
