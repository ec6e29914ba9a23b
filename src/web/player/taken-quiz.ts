import type { RichSnapshot } from '#domain/rich-text.ts'

/** The data in the public page for its script. */
export type TakenQuiz = { quiz_id: string; version: number; snapshot: RichSnapshot }

/** Ids of the player's element and of its data. */
export const PLAYER_ID = 'player'
export const TAKEN_QUIZ_ID = 'taken-quiz'
/** Id of the form until it is hydrated. */
export const FORM_ID = 'form'
