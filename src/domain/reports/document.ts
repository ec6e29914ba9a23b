import type { Font } from '#domain/common/vocabulary.ts'
import {
  nearestReadable,
  PLAYER_PALETTE,
  parseHexColor,
  resolveColors,
  TEXT_CONTRAST,
} from '#domain/questionnaire/look/colors.ts'
import type { Snapshot, SnapshotQuestion, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { type Block, type Inline, plainText, type RichText } from '#domain/run/rich-text.ts'

/** Documents that a participant can download. */
export const DOCUMENT_KINDS = ['report', 'certificate'] as const
/** Document that a participant can download. */
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]
/** Maximum number of participants whose documents are in one ZIP. */
export const MAX_ZIPPED_PARTICIPANTS = 500
/**
 * Offers at the end of a run: paths of the documents that a participant can download and of the page of the participant,
 * and the address to confirm.
 */
export type DocumentLinks = { [Kind in DocumentKind]?: string | undefined } & {
  /** Path of the page with the participant’s result and rights; absent unless the quiz keeps such pages. */
  own_page?: string | undefined
  /** Masked address that gets a mail to confirm it; absent unless a confirmation is awaited. */
  asked_email?: string | undefined
}

/** Row with a label, a figure, a bar for `share` (0 to 1) and a note below. */
export type FigureRow = { label: string; value: string; note?: string | undefined; share?: number }

/** Part of a document. A document shows its parts from top to bottom. */
export type DocumentPart =
  | { kind: 'heading'; level: 1 | 2 | 3; text: string }
  | { kind: 'text'; blocks: Block[] }
  /** Smaller, muted line. */
  | { kind: 'note'; text: string }
  /** Name of the person on a certificate. */
  | { kind: 'name'; text: string }
  | { kind: 'picture'; image_id: string; alt: string }
  | { kind: 'figures'; rows: FigureRow[]; is_numbered: boolean }
  /** Radar of percentages; `before` are those of an earlier run, drawn with a broken line. */
  | { kind: 'radar'; percents: number[]; before?: number[] }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'reply'; question: string; answers: string[]; notes: string[]; explanation?: Block[] }

/** Document to be drawn as PDF. The document contains the ids of pictures; `writePdf` receives their files. */
export type PdfDocument = {
  title: string
  layout: 'report' | 'certificate'
  font: Font
  /** Colours that are readable on white paper. */
  colors: { text: string; accent: string }
  logo_image_id: string | null
  parts: DocumentPart[]
}

const PAPER = '#ffffff'

/** Returns font, logo and colours of the quiz for its documents. Colours are made readable on white paper. */
export const lookOf = ({
  quiz,
}: Pick<Snapshot, 'quiz'>): Pick<PdfDocument, 'font' | 'colors' | 'logo_image_id'> => {
  const palette = resolveColors(quiz, PLAYER_PALETTE)
  const readable = (name: 'text_color' | 'accent_color'): string =>
    nearestReadable(parseHexColor(palette[name]) ?? PLAYER_PALETTE[name], PAPER, TEXT_CONTRAST)
  return {
    font: quiz.font ?? 'system',
    colors: { text: readable('text_color'), accent: readable('accent_color') },
    logo_image_id: quiz.logo_image_id ?? null,
  }
}

/** Returns the ids of the pictures of a document in their order, each once. */
export const picturesOf = ({
  logo_image_id,
  parts,
}: Pick<PdfDocument, 'logo_image_id' | 'parts'>): string[] => {
  const ids = parts.flatMap((part) => (part.kind === 'picture' ? part.image_id : []))
  return [...new Set([...(logo_image_id ? [logo_image_id] : []), ...ids])]
}

/** Returns the texts of a document in the order in which the PDF shows them. */
export const documentTexts = ({ parts }: Pick<PdfDocument, 'parts'>): string[] =>
  parts.flatMap((part): string[] => {
    switch (part.kind) {
      case 'text':
        return [plainText(part.blocks)]
      case 'figures':
        return part.rows.flatMap(({ label, value, note }) => [
          label,
          value,
          ...(note ? [note] : []),
        ])
      case 'reply':
        return [
          ...[part.question, ...part.answers, ...part.notes],
          ...(part.explanation ? [plainText(part.explanation)] : []),
        ]
      case 'picture':
      case 'radar':
        return []
      default:
        return [part.text]
    }
  })

/** Parses the formatting of a text. */
export type ParseText = (text: string) => RichText

/** Returns the picture of a result or a question; an empty list if there is no picture. */
export const pictureParts = ({
  image_id,
  image_alt,
}: Pick<SnapshotResult | SnapshotQuestion, 'image_id' | 'image_alt'>): DocumentPart[] =>
  image_id ? [{ kind: 'picture', image_id, alt: image_alt ?? '' }] : []

/** Creates a paragraph. */
export const paragraph = (...inlines: Inline[]): DocumentPart => ({
  kind: 'text',
  blocks: [inlines],
})
