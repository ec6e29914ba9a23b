import { RefusedCall } from '#contract/client/client.ts'
import type { Cluster } from '#server/testing/network/cluster.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { databaseUrl } from '#server/testing/server-process.ts'
import { clientOf } from '../../scripts/http-client.ts'
import { compareWithDatabase } from '../runner/compare-with-database.ts'
import { type Installation, openInstallation } from '../runner/installation.ts'
import { submissionOf } from '../runner/load.ts'
import type { RequestLog } from '../runner/request-log.ts'
import { addFailure, formatSeconds, type ScenarioResult } from '../runner/scenario.ts'
import type { WalArchive } from './wal-archive.ts'

/** Parts of a round that are the same before and after each restore. */
export type Round = {
  archive: WalArchive
  result: ScenarioResult
  max_recovery_ms: number
  /** Port of the product. */
  port: number
  /** Access token of the creator, signed with a key that is sealed in the database. */
  access_token: string
  /** Token of a statistics link, which is sealed in the database. */
  link_token: string
  quiz: SampleQuiz
}

/** PostgreSQL server with a running product. */
export type RunningSite = { server: Cluster; installation: Installation; origin: string }

/** Starts the product on a PostgreSQL server. The port stays the same, because sessions are valid for one address only. */
export const openSite = async (server: Cluster, port: number): Promise<RunningSite> => {
  const { connection } = server
  const installation = await openInstallation({
    engine: 'external',
    database: { url: databaseUrl(connection), connection },
  })
  const { origin } = await installation.start({ port })
  return { server, installation, origin }
}

/** Opens the page, sends one submission and records it. Throws an error if the restored site refuses. */
const sendFirstSubmission = async (
  { origin }: RunningSite,
  quiz: SampleQuiz,
  log: Pick<RequestLog, 'submissions'>,
): Promise<void> => {
  const id = crypto.randomUUID()
  const page = await fetch(`${origin}/q/${quiz.id}`)
  await page.arrayBuffer()
  const { status } = await fetch(
    `${origin}/api/v1/quizzes/${quiz.id}/submit`,
    submissionOf(quiz, id, 0),
  )
  if (page.status !== 200 || status !== 201)
    throw new Error(`The restored site answered ${page.status} and ${status}`)
  log.submissions.set(id, { choice: 0, is_acknowledged: true })
}

/** Maximum number of reported differences, because a wrong restore changes all counters. */
const MAX_DIFFERENCES = 5

/** Adds the differences between a log and the stored submissions of a quiz to the result. */
export const compareSubmissions = async (
  { installation }: RunningSite,
  compared: { quiz: SampleQuiz; log: RequestLog },
  result: ScenarioResult,
): Promise<void> => {
  const { nb_acknowledged, nb_lost, nb_duplicated, failures } = await compareWithDatabase(
    installation,
    compared,
  )
  result.nb_acknowledged += nb_acknowledged
  result.nb_lost += nb_lost
  result.nb_duplicated += nb_duplicated
  addFailure(result, ...failures.slice(0, MAX_DIFFERENCES))
}

/** Adds a failure if a value that was sealed before the restore does not open. Throws if an old session is invalid. */
export const checkSealedValues = async (
  { origin }: RunningSite,
  { access_token, link_token, quiz, result }: Round,
): Promise<void> => {
  const { link } = await clientOf(origin, access_token).statisticsLinks.get({ id: quiz.id })
  if (link?.token !== link_token) addFailure(result, 'a sealed value does not open')
}

/** Adds a failure if `/metrics` does not have the delay of the archive. */
export const checkArchiveMetric = async (
  { origin }: RunningSite,
  result: ScenarioResult,
): Promise<void> => {
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  if (!/^database_unarchived_wal_bytes \d+$/m.test(metrics))
    addFailure(result, 'the archive has no metric')
}

/** Returns a size in MB with its unit. */
export const formatMegabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`

/** Restores a server, starts the product and serves a visitor. Adds the duration to the recovery times. */
export const restoreSite = async (
  { archive, port, quiz, result }: Round,
  { target, log }: { target?: Date; log: RequestLog },
): Promise<RunningSite> => {
  const began = performance.now()
  const server = await archive.restoreServer(target)
  const replayed_ms = performance.now() - began
  const site = await openSite(server, port)
  await sendFirstSubmission(site, quiz, log)
  const served_ms = performance.now() - began
  result.recovery_times_ms.push(served_ms)
  result.notes.push(`database back after ${formatSeconds(replayed_ms)}`)
  return site
}

/** Adds a failure if an editor with a draft newer than the restored one can save it. */
export const checkNewerDraft = async (
  { origin }: RunningSite,
  { access_token, quiz: { id }, result }: Round,
  based_on: number,
): Promise<void> => {
  const saving = clientOf(origin, access_token).drafts.save({
    id,
    body: { based_on, quiz: { name: 'Depuis un onglet ouvert' } },
  })
  const status = await saving.then(
    () => 200,
    (error: unknown) => (error instanceof RefusedCall ? error.status : 0),
  )
  if (status !== 409) addFailure(result, `a save of a newer draft was answered ${status}`)
}
