import {
  type ConvertedFile,
  convertFile,
  foreignFileTooLarge,
  isOwnFile,
  MAX_FOREIGN_FILE_BYTES,
} from '#domain/imports/convert-file.ts'

/** Bytes at the beginning of a file that say whether it is a quiz file. */
const BEGINNING_BYTES = 65_536

/**
 * Detects the product of a chosen file and converts it. A file of another product is refused by its size before it is
 * read.
 */
export const readChosenFile = async (file: File): Promise<ConvertedFile> => {
  const beginning = await file.slice(0, BEGINNING_BYTES).text()
  if (isOwnFile(beginning)) return { kind: 'quiz_file' }
  if (file.size > MAX_FOREIGN_FILE_BYTES) return { kind: 'refused', message: foreignFileTooLarge() }
  return convertFile(await file.text(), file.name)
}
