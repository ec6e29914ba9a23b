import { computeOddsReport, type OddsTask } from './odds-report.ts'

/** Computes odds beside the page's own thread: a task in, its report out. */
addEventListener('message', ({ data }: MessageEvent<OddsTask>) =>
  postMessage(computeOddsReport(data)),
)
