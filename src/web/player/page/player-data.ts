import type { RichSnapshot } from '#domain/run/rich-text.ts'

/** The data in the public page for its script. */
export type TakenQuiz = {
  /** What stands for the quiz in the addresses that the page calls; of a test that of the test (domain/run/trial-runs.ts). */
  quiz_id: string
  version: number
  snapshot: RichSnapshot
  /** In a test no visit is reported, and no result leads on by itself. */
  is_test?: boolean | undefined
}

/** Ids of the player's element and of its data. */
export const PLAYER_ID = 'player'
export const PLAYER_DATA_ID = 'taken-quiz'
/** Id of the form until it is hydrated. */
export const FORM_ID = 'form'
