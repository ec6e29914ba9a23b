import type { PageAnswer } from './page-answers.ts'

/** State of the page of a participant, apart from the end of the run. */
export type PageState = {
  /** `confirm` asks before an erasure; `erased` is the answer to it. */
  view: 'result' | 'confirm' | 'erased'
  /** Path of the page. */
  path: string
  /** Time of the answer in words. */
  answered_on: string
  /** True if the participant gave an address, by which the page recognises them. */
  has_email: boolean
  /** Address typed in the form, to be corrected; blank at first. */
  typed_email: string
  /** French error about the typed address; null without. */
  error: string | null
  /** Replies, after the participant has typed their address. */
  answers: readonly PageAnswer[] | null
  can_withdraw: boolean
  /** Day of the withdrawal in words; null without. */
  withdrawn_on: string | null
  /** True if the creator chose that the email tools are asked too. */
  asks_tools: boolean
}

/** Actions of the forms of a page, as the names of their buttons. */
export const PAGE_FORM_ACTIONS = ['reponses', 'donnees', 'accord', 'effacer', 'confirmer'] as const
/** Action of a form of a page. */
export type PageFormAction = (typeof PAGE_FORM_ACTIONS)[number]
