import Papa from 'papaparse'
import {
  type ConvertedFile,
  convertBytes,
  foreignFileTooLarge,
  MAX_FOREIGN_FILE_BYTES,
  ownFileEncoding,
} from '#domain/imports/convert-file.ts'
import { decodeFile } from '#domain/imports/decode-file.ts'
import { MAX_QUIZ_FILE_BYTES } from '#domain/quiz-files/quiz-file.ts'

/** Bytes at the beginning of a file that say whether it is a quiz file. */
const BEGINNING_BYTES = 65_536

/** Converted file of another product, a refusal, or a quiz file in UTF-8, which the server reads. */
type ChosenFile = Exclude<ConvertedFile, { kind: 'quiz_file' }> | { kind: 'quiz_file'; file: Blob }

const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer())

/**
 * Detects the product of a chosen file and converts it. A file of another product is refused by its size before it is
 * read.
 */
export const readChosenFile = async (file: File): Promise<ChosenFile> => {
  const encoding = ownFileEncoding(await bytesOf(file.slice(0, BEGINNING_BYTES)))
  if (encoding === 'UTF-8') return { kind: 'quiz_file', file }
  if (encoding && file.size <= MAX_QUIZ_FILE_BYTES) {
    const decoded = decodeFile(await bytesOf(file))
    if ('text' in decoded) return { kind: 'quiz_file', file: new Blob([decoded.text]) }
  }
  if (file.size > MAX_FOREIGN_FILE_BYTES) return { kind: 'refused', message: foreignFileTooLarge() }
  const converted = convertBytes(await bytesOf(file), file.name, Papa.parse)
  return converted.kind === 'quiz_file' ? { kind: 'quiz_file', file } : converted
}
