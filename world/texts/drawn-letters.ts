import { normalizeText } from '#domain/common/normalize-text.ts'
import { withoutSpace } from '#server/testing/pdf/read-pdf.ts'

/** Signs without a shape, which shape their neighbours and leave no letter in a PDF. */
const JOINERS = /\p{Default_Ignorable_Code_Point}/gu

/** Returns the letters of a text as a PDF draws them: ligatures as letters, and joined emoji one after the other. */
export const drawnLetters = (text: string): string =>
  withoutSpace(normalizeText(text, 'NFKC')).replaceAll(JOINERS, '')
