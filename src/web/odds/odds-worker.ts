import {
  computeOddsReport,
  computeTextReport,
  type OddsTask,
  type TextOddsTask,
} from './odds-report.ts'

/** Web worker that computes odds: receives a task and posts its report. */
addEventListener('message', ({ data }: MessageEvent<OddsTask | TextOddsTask>) =>
  postMessage('texts_of' in data ? computeTextReport(data) : computeOddsReport(data)),
)
