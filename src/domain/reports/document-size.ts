import { type DocumentPart, documentTexts } from './document.ts'

/** Maximum cost of the texts of a document: 200,000 Latin letters, or 40,000 letters of other scripts. */
const MAX_DOCUMENT_COST = 200_000
/** Cost of a letter whose script must be shaped or searched in several fonts. */
const SHAPED_LETTER_COST = 5
/** Cost of a line break, which is a line of its own. */
const LINE_COST = 20

/** Sentence at the end of a document that does not contain all parts. */
export const CUT_NOTE =
  'Ce document est trop long pour être écrit en entier : la suite n’y figure pas.'

const isLatin = (code: number): boolean => code < 0x300 || (code >= 0x2010 && code <= 0x202f)

/** Returns the cost of drawing a text, in Latin letters. */
const drawingCostOf = (text: string): number => {
  let cost = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10) cost += LINE_COST
    else cost += isLatin(code) ? 1 : SHAPED_LETTER_COST
  }
  return cost
}

/**
 * Returns the parts that a document prints. Parts that begin after MAX_DOCUMENT_COST are left out, so that the longest
 * replies do not occupy the writer of all documents.
 */
export const printedParts = (
  parts: readonly DocumentPart[],
): { parts: DocumentPart[]; is_cut: boolean } => {
  let cost = 0
  const printed: DocumentPart[] = []
  for (const part of parts) {
    if (cost >= MAX_DOCUMENT_COST) return { parts: printed, is_cut: true }
    printed.push(part)
    for (const text of documentTexts({ parts: [part] })) cost += drawingCostOf(text)
  }
  return { parts: printed, is_cut: false }
}
