import { linkButtonOf } from '#domain/questionnaire/pages.ts'
import type { SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import {
  type Block,
  blocksOf,
  fillAddress,
  fillRichText,
  type Insertions,
  type RichText,
} from '#domain/run/rich-text.ts'
import { tiedResults } from '#domain/run/scoring.ts'
import { finishedRunOf, shownTexts } from '#domain/run/text-variants.ts'
import { mailDimensions } from './mail-dimensions.ts'
import type { ResultMailInput } from './mail-insertions.ts'

/** Part of a result mail below the creator's words. */
export type MailPart =
  | { kind: 'heading'; text: string; note?: string | undefined }
  | { kind: 'picture'; image_id: string; alt: string }
  | { kind: 'text'; text: RichText }
  | { kind: 'button'; label: string; url: string }

/** Values and parser of the texts of a mail. */
type Writing = { values: Insertions; read: (text: string) => RichText }

/** Maximum number of tied results in a mail, so that their names and addresses leave space for the texts. */
const MAX_SHOWN_RESULTS = 4

/** Returns all results that the end of a run shows, the stored one first. */
export const mailedResults = ({
  snapshot,
  replies,
  result,
}: Pick<ResultMailInput, 'snapshot' | 'replies' | 'result'>): SnapshotResult[] => {
  const stored = snapshot.results.find(({ id }) => id === result?.id)
  if (!stored) return []
  const ties = snapshot.quiz.tie_rule === 'both' ? tiedResults(snapshot, replies) : []
  return [stored, ...ties.filter(({ id }) => id !== stored.id)].slice(0, MAX_SHOWN_RESULTS)
}

/** Returns a conditional text as paragraphs of a mail. Its button is a link in a paragraph of its own. */
const variantBlocks = (
  { text, button_text, button_url }: SnapshotTextVariant,
  { values, read }: Writing,
): Block[] => {
  const button = linkButtonOf(button_text, button_url)
  return [
    ...blocksOf(fillRichText(read(text), values)),
    ...(button ? [[{ a: [button.text], href: fillAddress(button.address, values) }]] : []),
  ]
}

/**
 * Returns the conditional texts of a run for its mail. With `shows_result`, those of the result page come first; a text
 * of both is shown once.
 */
const mailVariants = (
  { snapshot, replies, result }: ResultMailInput,
  shows_result: boolean,
): SnapshotTextVariant[] => {
  const run = finishedRunOf(snapshot, replies, result)
  const onPage = shows_result ? shownTexts(snapshot, 'page', run) : []
  const texts = new Set(onPage.map(({ text }) => text.trim()))
  const inMail = shownTexts(snapshot, 'mail', run).filter(({ text }) => !texts.has(text.trim()))
  return [...onPage, ...inMail]
}

/** Returns the conditional texts and the dimensions of a run, which follow the words of a mail without its result. */
export const blocksWithoutResult = (run: ResultMailInput, writing: Writing): Block[] => [
  ...mailVariants(run, false).flatMap((variant) => variantBlocks(variant, writing)),
  ...mailDimensions(run, writing.values, writing.read),
]

const endOf = (
  { name, description, image_id, image_alt }: SnapshotResult,
  { values, read }: Writing,
  { note, has_description }: { note?: string; has_description: boolean },
): MailPart[] => [
  { kind: 'heading', text: name, note },
  ...(image_id ? [{ kind: 'picture' as const, image_id, alt: image_alt ?? '' }] : []),
  ...(description && has_description
    ? [{ kind: 'text' as const, text: fillRichText(read(description), values) }]
    : []),
]

const buttonOf = (
  { button_text, button_url }: Pick<SnapshotResult, 'button_text' | 'button_url'>,
  { values }: Writing,
): MailPart[] => {
  const button = linkButtonOf(button_text, button_url)
  return button
    ? [{ kind: 'button', label: button.text, url: fillAddress(button.address, values) }]
    : []
}

/**
 * Returns the result of a run as parts of a mail: name, picture, description, conditional texts, dimensions, button, and
 * the results tied with it. Texts and dimensions have the order of the result page. `has_description` is false if the
 * creator's words contain the description.
 */
export const resultParts = (
  run: ResultMailInput,
  writing: Writing,
  has_description: boolean,
): MailPart[] => {
  const [first, ...ties] = mailedResults(run)
  const { quiz } = run.snapshot
  const variants = mailVariants(run, true).flatMap((variant) => variantBlocks(variant, writing))
  const dimensions = mailDimensions(run, writing.values, writing.read)
  const end = { button_text: quiz.end_button_text, button_url: quiz.end_button_url }
  return [
    ...(first ? endOf(first, writing, { has_description }) : []),
    ...(variants.length > 0 ? [{ kind: 'text' as const, text: variants }] : []),
    ...(dimensions.length > 0 ? [{ kind: 'text' as const, text: dimensions }] : []),
    ...buttonOf(first ?? (quiz.type === 'sondage' ? end : {}), writing),
    ...ties.flatMap((tied) => [
      ...endOf(tied, writing, { note: 'Ex æquo', has_description: true }),
      ...buttonOf(tied, writing),
    ]),
  ]
}
