import type { OwnProgress } from '#domain/progress/own-progress.ts'
import type { PageAnswer } from './page-answers.ts'

/** Confirmation of an address as its page shows it, with the masked address and times in words. */
type PageConfirmation =
  | { state: 'waiting' | 'expired'; masked_email: string }
  | { state: 'confirmed'; confirmed_on: string }

/** State of the page of a participant, without the result and the texts of the end page. */
export type PageState = {
  /** `confirm` asks before an erasure; `erased` confirms a finished erasure. */
  view: 'result' | 'confirm' | 'erased'
  /** Path of the page. */
  path: string
  /** Time of the answer in words. */
  answered_on: string
  /** True if the participant gave an email address. The page asks for this address before it shows replies. */
  has_email: boolean
  /** Address that was typed in the form, so that the participant can correct it; blank at first. */
  typed_email: string
  /** French error about the typed address; null without. */
  error: string | null
  /** Replies; null until the participant has typed their address. */
  answers: readonly PageAnswer[] | null
  /** Dimensions before and after; null unless the person has also replied to the campaign before. */
  progress: OwnProgress | null
  /** Confirmation of the address; null if the participant was not asked. */
  confirmation: PageConfirmation | null
  can_withdraw: boolean
  /** Day of the withdrawal in words; null without. */
  withdrawn_on: string | null
  /** True if the participant agreed that openings and clicks are measured. */
  can_withdraw_measure: boolean
  /** Day and time of the withdrawal of that consent in words; null without. */
  measure_withdrawn_on: string | null
  /** True if the creator chose to ask the email tools too. */
  asks_tools: boolean
}

/** Actions of the forms of a page, as the names of their buttons. */
export const PAGE_FORM_ACTIONS = [
  ...(['reponses', 'donnees', 'accord', 'mesure', 'effacer', 'confirmer'] as const),
] as const
/** Action of a form of a page. */
export type PageFormAction = (typeof PAGE_FORM_ACTIONS)[number]
