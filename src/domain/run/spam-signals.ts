import type { Snapshot } from '#domain/questionnaire/snapshot.ts'

/** What the field that no person sees is called: programs know what to write there. */
export const HONEYPOT_FIELD = 'url'

/** What a submission says of its own making. */
export type Signals = {
  /** Whether the field that no person sees was filled in. */
  is_trapped: boolean
  /** From the page's coming to the last answer; null when it was not measured. */
  elapsed_seconds: number | null
}

/** A person needs longer to read a question and answer it. */
const SECONDS_PER_QUESTION = 0.5

/**
 * Whether a submission of replies to these questions, those that its run passed, looks made by a program. A hint for readers of the statistics, never a reason
 * to refuse: a browser that fills forms in by itself gives it too.
 */
export const isLikelySpam = (
  { questions }: Pick<Snapshot, 'questions'>,
  { is_trapped, elapsed_seconds }: Signals,
): boolean =>
  is_trapped ||
  (elapsed_seconds !== null && elapsed_seconds < questions.length * SECONDS_PER_QUESTION)
