import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'

/** The data in the public page for its script. */
export type PlayerData = {
  /**
   * Path segment that names the quiz in the addresses that the page calls. A trial run has its own segment
   * (domain/run/trial-runs.ts).
   */
  quiz_id: string
  version: number
  snapshot: RichSnapshot
  /** Packed ids of the questions and answers after the first page (domain/run/public-page/packed-ids.ts). */
  ids: string
  /** True if the run is a trial, which reports no visit and does not redirect. */
  is_test?: boolean | undefined
}

/** Data of an invitation in the page of its person. */
export type InvitationData = {
  /** Replies with which the run of the person begins: name and address. */
  replies: Replies
  /** True if the server keeps replies of an unfinished run. */
  has_progress: boolean
  /** True if the replies of an unfinished run never leave this page. */
  is_anonymous: boolean
}

/** Id of the player's element. */
export const PLAYER_ID = 'player'
/** Id of the script element with the data of an invitation, and of the question whether to resume. */
export const INVITATION_DATA_ID = 'invitation'
export const RESUME_QUESTION_ID = 'resume'
/** Id of the script element with the data of the page. */
export const PLAYER_DATA_ID = 'taken-quiz'
/** Id of the form until it is hydrated. */
export const FORM_ID = 'form'
