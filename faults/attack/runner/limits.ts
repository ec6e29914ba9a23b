import type { Answer } from './requests.ts'

/** Sentence for each figure that an attack measures. */
const SENTENCES = {
  loop_ms: (figure: number) => `the event loop waits ${figure} ms`,
  growth_mb: (figure: number) => `memory grows by ${figure} MB`,
  remaining_mb: (figure: number) => `${figure} MB of memory remain`,
  total_mb: (figure: number) => `the server and the decoder use ${figure} MB`,
  page_p95_ms: (figure: number) => `a page takes ${figure} ms`,
  save_max_ms: (figure: number) => `a save takes ${figure} ms`,
  document_max_ms: (figure: number) => `another document takes ${figure} ms`,
  answer_ms: (figure: number) => `the answer takes ${figure} ms`,
  answer_bytes: (figure: number) => `the answer has ${figure} bytes`,
}
type FigureName = keyof typeof SENTENCES

/** Measured figures, or their limits. */
export type Figures = Partial<Record<FigureName, number>>

const FIGURE_NAMES = Object.keys(SENTENCES) as FigureName[]
const toSentence = (name: FigureName, figure: number): string => SENTENCES[name](Math.round(figure))

/** Returns the figures in words, such as « the event loop waits 12 ms, memory grows by 3 MB ». */
export const describeFigures = (figures: Figures): string =>
  FIGURE_NAMES.flatMap((name) => {
    const figure = figures[name]
    return figure === undefined ? [] : [toSentence(name, figure)]
  }).join(', ')

/** Returns a line for each figure above its limit. Figures without a limit are not checked. `subject` begins each line. */
export const findExcesses = (figures: Figures, limits: Figures, subject?: string): string[] =>
  FIGURE_NAMES.flatMap((name) => {
    const [figure, limit] = [figures[name], limits[name]]
    if (figure === undefined || limit === undefined || figure <= limit) return []
    return [`${subject === undefined ? '' : `${subject}: `}${toSentence(name, figure)}`]
  })

/** Returns the greatest value of each figure of several measurements. */
export const mergeWorst = (worst: Figures, figures: Figures): Figures => {
  const merged = { ...worst }
  for (const name of FIGURE_NAMES) {
    const figure = figures[name]
    if (figure !== undefined) merged[name] = Math.max(merged[name] ?? figure, figure)
  }
  return merged
}

type Status = Pick<Answer, 'status'>

/** Returns « 3 × 200, 2 × 503 ». */
export const describeStatuses = (answers: readonly Status[]): string =>
  [...Map.groupBy(answers, ({ status }) => status)]
    .map(([status, { length }]) => `${length} × ${status}`)
    .join(', ')

/** Returns a line if the server failed. A 503 is a refusal. */
export const findServerErrors = (answers: readonly Status[]): string[] =>
  answers.some(({ status }) => status >= 500 && status !== 503) ? ['an answer of 5xx'] : []

/** Returns a line if the server failed, and a line if a refusal does not say when to call again. */
export const findBadRefusals = (
  answers: readonly Pick<Answer, 'status' | 'headers'>[],
): string[] => {
  const isVague = answers.some(
    ({ status, headers }) =>
      (status === 503 || status === 429) && !(Number(headers.get('retry-after')) > 0),
  )
  return [
    ...findServerErrors(answers),
    ...(isVague ? ['a refusal does not say when to call again'] : []),
  ]
}
