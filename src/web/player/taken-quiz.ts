import type { Snapshot } from '#domain/snapshot.ts'

/** What the public page carries for its script. */
export type TakenQuiz = { quiz_id: string; version: number; snapshot: Snapshot }

/** Where the page holds the player, and the quiz it takes. */
export const PLAYER_ID = 'player'
export const TAKEN_QUIZ_ID = 'taken-quiz'
/** The form, as long as no script has taken it over. */
export const FORM_ID = 'form'
