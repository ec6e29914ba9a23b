import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { signUpCreator } from '../creator.ts'
import { measureLatencies } from './load.ts'
import { makeQuiz } from './quiz.ts'
import { createInAdvance, createRequests } from './requests.ts'

/** Interval of the reports: 60 a minute. */
const REPORT_EVERY_MS = 1_000

type Settings = {
  origin: string
  connections: number
  rounds: number
  seconds: number
  per_second: number
}
/** Latencies of submissions in ms, in alternating rounds without and with reports. */
type Latencies = { without: number[][]; with_reports: number[][]; nb_reports: number }

/** Measures submissions at a fixed rate, while nothing else happens and while 60 reports a minute are written. */
export const measureReports = async ({
  origin,
  connections,
  rounds,
  seconds,
  per_second,
}: Settings): Promise<Latencies> => {
  const quiz = await makeQuiz(origin)
  const creator = await signUpCreator(origin)
  const { documents } = await submitToReportQuiz(creator, await publishReportQuiz(creator))
  const measured: Latencies = { without: [], with_reports: [], nb_reports: 0 }
  const makeRequest = createRequests(quiz)
  const measure = (): Promise<number[]> => {
    const prepared = createInAdvance(makeRequest, per_second * seconds)
    return measureLatencies({ origin, connections, makeRequest: prepared }, { per_second, seconds })
  }
  const download = async (): Promise<void> => {
    const answer = await fetch(origin + documents?.report)
    if (!answer.ok) throw new Error(`A report was answered with ${answer.status}`)
    await answer.arrayBuffer()
    measured.nb_reports++
  }
  // The first round opens connections and the first report opens fonts, so that neither is measured.
  await Promise.all([measure(), download()])
  for (let round = 0; round < rounds; round++) {
    measured.without.push(await measure())
    const downloads: Promise<void>[] = []
    const timer = setInterval(() => downloads.push(download()), REPORT_EVERY_MS)
    measured.with_reports.push(await measure())
    clearInterval(timer)
    await Promise.all(downloads)
  }
  return measured
}
