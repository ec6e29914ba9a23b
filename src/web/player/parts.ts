import type { ComponentProps, ReactNode } from 'react'
import type { ConsentVersions } from '#domain/questionnaire/consent/consent.ts'
import type { Replies, Reply } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer } from '#domain/questionnaire/snapshot.ts'
import type { DimensionScore } from '#domain/run/dimensions.ts'
import type { ResultDetail } from '#domain/run/result-detail.ts'
import type {
  Insertions,
  RichQuestion,
  RichSnapshot,
  RichText,
  RichTextBlock,
} from '#domain/run/rich-text.ts'
import type { SnapshotPage } from '#domain/run/submission-checks.ts'
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import type { EndProps } from './ending/end-props.ts'
import type { FieldProps } from './fields/field-props.ts'
import type { Run } from './run/run.ts'
import type { SavedRun } from './run/saved-run.ts'

/** Props of a picture. */
export type PictureProps = {
  /** Id of the picture; nothing is rendered without one. */
  image_id: string | null | undefined
  /** Description of the picture; '' for a decorative picture. */
  image_alt: string | null | undefined
  /** The displayed width, in the syntax of `<img sizes>`; the width of the player by default. */
  sizes?: string
  /** Largest displayed height in pixels, which also limits the reserved place. */
  max_height?: number
}

/** Props of « Autre… ». */
export type OtherChoiceProps = {
  field: FieldProps
  /** Returns the props of the radio button or checkbox of a value. */
  box: (value: string, isChosen: boolean) => ComponentProps<'input'>
  /** The typed text; undefined if « Autre… » is not chosen. */
  text: string | undefined
}

/** Functions that a redirect needs. */
export type RedirectNeeds = {
  /** Returns true if leaving loses no answer: the answers are acknowledged, or stored on this device. */
  mayLeave: () => boolean
  /** Called when a redirect is scheduled, cancelled or followed. */
  onRedirectChange: () => void
  /** Opens an address; from a frame, in place of the whole window or in a tab. */
  go?: (address: string) => void
}

/** The redirect from a result to its address, which the visitor can cancel. */
export type Redirect = {
  isActive: () => boolean
  /** Schedules the redirect to the address of the run's result, if it has one, after the longest wait. */
  schedule: (snapshot: RichSnapshot, run: Run) => void
  /** Redirects now, unless an answer would be lost. */
  follow: () => void
  /** Cancels the redirect. */
  dismiss: () => void
}

/** Fields with options. A page has this part if a question of its quiz needs one. */
export type OptionParts = {
  Scale: (field: FieldProps) => ReactNode
  ChoiceHint: (field: FieldProps) => ReactNode
  ClearChoice: (field: FieldProps) => ReactNode
  OtherChoice: (props: OtherChoiceProps) => ReactNode
  fullBoxProps: (field: FieldProps, value: string) => ComponentProps<'input'>
  findBlankOther: (page: HTMLElement) => HTMLInputElement | undefined
  isUnchosenOther: (field: HTMLInputElement | HTMLTextAreaElement) => boolean
  missingTextError: () => string
  shuffled: (
    answers: readonly SnapshotAnswer[],
    participant_uuid: string,
    question_id: string,
  ) => SnapshotAnswer[]
}

/** Values of the insertions in the texts; null or undefined without the part `texts`. */
type InsertionValues = Insertions | null | undefined

/** Props of a text of the creator. */
export type TextProps = {
  id?: string
  text: RichText
  insertions?: InsertionValues
  className?: string
}

/** Props of a line of text of the creator. */
export type LineProps = { text: string; insertions: InsertionValues }

/** Props of the field of a question, with the consent below an address. */
export type QuestionFieldProps = FieldProps & {
  /** Reply of the consent checkboxes, joined by commas; '' without a ticked box. */
  consent_reply: string
}

/** Addresses, phone numbers, numbers and days. A page has this part if its quiz asks for one of them. */
export type FormatParts = {
  formatProps: (field: QuestionFieldProps) => ComponentProps<'input'>
  formatError: (question: RichQuestion, reply: Reply) => string | undefined
  cleanFields: (page: HTMLElement) => void
  /** Reads the checkboxes of both consents from their reply. */
  readConsents: (reply: Reply | undefined) => ConsentVersions
  /** Renders the consents or the phone note below the field. */
  FieldNote: (field: QuestionFieldProps) => ReactNode
  normalizeDecimals: (event: InputEvent) => void
  findBadInput: (target: EventTarget | null) => string | undefined
  readDecimals: (form: HTMLFormElement) => void
}

/** Phone fields. A page has this part if its quiz asks for a phone number. */
export type PhoneParts = {
  phoneProps: (field: QuestionFieldProps) => ComponentProps<'input'>
  PhoneNote: (field: QuestionFieldProps) => ReactNode
}

/** Reading of phone numbers, which brings a library. A page loads it when a phone field gets the focus. */
export type PhoneReadingParts = {
  /** Returns the sentence below a phone field: how a typed number is read, or advice; '' if there is nothing to say. */
  describePhone: (field: FieldProps, typed: string) => string
}

/** Suggestions for slips in typed addresses. A page with an email field loads them after its second file. */
export type EmailSlipParts = {
  /** Shows or hides the suggestion below an email field after an event of the field. */
  updateSuggestion: (
    field: FieldProps,
    event: { type: string; currentTarget: HTMLInputElement },
  ) => Promise<void>
}

/**
 * Loaders of `PhoneReadingParts` and `EmailSlipParts`, which the second file and the preview have. They never reject;
 * after a failure, the next call tries again.
 */
export type FileLoaders = {
  loadPhoneReading: () => Promise<unknown>
  loadEmailSlips: () => Promise<unknown>
}

/** Marks, links and insertions. A page has this part if a text of its quiz has one of them. */
export type TextParts = {
  insertionsOf: (
    snapshot: RichSnapshot,
    replies: Replies,
    result?: { name: string } | null,
  ) => Insertions
  fillInsertions: (text: string, values: Insertions) => string
  fillAddress: (address: string, values: Insertions) => string
  /** Renders a text with its addresses as links. */
  linkedText: (text: string) => ReactNode
  FilledLine: (props: LineProps) => ReactNode
  RichTextElement: (props: TextProps) => ReactNode
}

/** Conditional texts. A page has this part if its quiz has texts for the end of the run. */
export type VariantParts = {
  /** Renders the conditional texts that the run shows. */
  Variants: (props: EndProps) => ReactNode
}

/** Renders a question or a text block of a page. `Field` renders the question; the default is `QuestionField`. */
export type RenderItem = (
  item: { question?: RichQuestion; text_block?: RichTextBlock },
  Field?: (props: FieldProps & { consent_reply: string }) => ReactNode,
) => ReactNode

/** Grids. A page has this part if a page of its quiz has a grid. */
export type GridParts = {
  /** Renders the items of a page, with the rows of each grid as one table. */
  renderItems: (
    items: SnapshotPage['items'],
    renderItem: RenderItem,
    insertions: Insertions | null,
  ) => ReactNode
}

/** Labels of the creator, and texts with « tu ». A page has this part if its quiz has a label or uses « tu ». */
export type WordingParts = {
  /** Returns a text of the player in the words of a quiz. Without the part, the text stays as it is. */
  wordingOf: (quiz: WordingSettings, text: string) => string
}

/** Parts of the second file. A run can be answered and can end without them. */
export type SecondFileParts = {
  Picture: (props: PictureProps) => ReactNode
  /** Completes the years of two digits in the fields of a page. */
  completeYears: (page: HTMLElement) => void
  /** Returns the listeners of an email field. */
  emailProps: (field: FieldProps) => ComponentProps<'input'>
  /** Shows the sentence about the number of a phone field, and hides the sentence while the number is typed. */
  updateReading: (
    field: FieldProps,
    event: { type: string; currentTarget: HTMLInputElement },
  ) => void
  /** Returns the sentence about the number of a phone field; undefined if the number was not read. */
  currentReading: (field: FieldProps) => string | undefined
  /** Renders how the result was computed. */
  Explanation: (props: EndProps) => ReactNode
  /** Renders documents, links to other sites, tied results and corrections. */
  EndExtras: (props: EndProps) => ReactNode
  /** Returns the run whose page shows its corrections; undefined if none are to be shown before the next page. */
  freezeReplies: (snapshot: RichSnapshot, page: SnapshotPage, run: Run) => Run | undefined
  /** Renders the summary of a page whose corrections are shown. */
  PageSummary: (page: SnapshotPage, run: Run) => ReactNode
  /** Renders the correction of a question of a page whose corrections are shown. */
  QuestionCorrection: (
    question: RichQuestion,
    run: Run,
    insertions: Insertions | null,
    quiz: WordingSettings,
  ) => ReactNode
  /** Returns why the answers were refused; undefined for a reason without details. */
  describeRefusal: (props: EndProps) => string | undefined
  /** Renders the link that shares the result. */
  ShareLink: (props: EndProps) => ReactNode
  /** Returns the values that texts insert for the dimensions of a finished run. */
  dimensionInsertions: (snapshot: RichSnapshot, replies: Replies) => [name: string, value: string][]
  resultDetail: (snapshot: RichSnapshot, replies: Replies) => ResultDetail | null
  dimensionScores: (snapshot: RichSnapshot, replies: Replies) => DimensionScore[]
  createRedirect: (deps: RedirectNeeds) => Redirect
  /** Returns a saved run adapted to the page, after a question if it has typed texts; undefined to begin again. */
  offerSavedRun: (
    saved: SavedRun,
    page: { container: HTMLElement; snapshot: RichSnapshot; version: number },
  ) => Promise<SavedRun | undefined>
  /** Hides the typed texts of an unfinished run from the next person on the device. */
  protectTexts: (readRun: () => Run, snapshot: RichSnapshot) => void
}

/**
 * Registry of the loaded parts of the player. Each bundle adds its functions when it is loaded; a part that is not loaded
 * is undefined. A page starts with the parts that its quiz needs. Server and preview have all parts (`all-parts.ts`).
 */
export const parts: WordingParts &
  Partial<
    FormatParts &
      (PhoneParts & PhoneReadingParts & EmailSlipParts & FileLoaders) &
      (OptionParts & TextParts & VariantParts & GridParts & SecondFileParts)
  > = {
  wordingOf: (_, text) => text,
}
