import type { Snapshot } from '#domain/questionnaire/snapshot.ts'

/**
 * Name of the honeypot field, which people do not see and programs fill in. Browsers and password managers know no value
 * for this name.
 */
export const HONEYPOT_FIELD = 'remarque'
/** Name of the honeypot field in pages of earlier releases. Password managers filled it in, so that it says nothing. */
export const EARLIER_HONEYPOT_FIELD = 'url'

/** Signals of a submission that help to detect spam. */
export type SpamSignals = {
  /** True if the honeypot field was filled in. */
  is_trapped: boolean
  /** Seconds from loading the page to the last answer; null if not measured. */
  elapsed_seconds: number | null
}

/** Minimum time in which a person reads and answers a question. */
const SECONDS_PER_QUESTION = 0.5

/**
 * Returns true if a submission was probably made by a program; `questions` are those that its run visited. Such
 * submissions are marked, never refused, because browsers that fill in forms also look like this.
 */
export const isLikelySpam = (
  { questions }: Pick<Snapshot, 'questions'>,
  { is_trapped, elapsed_seconds }: SpamSignals,
): boolean =>
  is_trapped ||
  (elapsed_seconds !== null && elapsed_seconds < questions.length * SECONDS_PER_QUESTION)
