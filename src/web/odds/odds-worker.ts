import { computeOddsReport, type OddsTask } from './odds-report.ts'

/** Web worker that computes odds: receives a task and posts its report. */
addEventListener('message', ({ data }: MessageEvent<OddsTask>) =>
  postMessage(computeOddsReport(data)),
)
