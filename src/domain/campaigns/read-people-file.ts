import { type ParseCsv, readCsvRows } from '#domain/imports/csv-rows.ts'
import { decodeFile } from '#domain/imports/decode-file.ts'
import { MAX_ROWS, type PeopleRows } from './people-rows.ts'

/** Maximum size of a list of people in bytes. */
export const MAX_PEOPLE_FILE_BYTES = 2 * 1_048_576

const REFUSALS = {
  binary: 'Ce fichier n’est pas lu : il faut une liste en CSV ou un classeur Excel (.xlsx).',
  unknown: 'L’encodage de ce fichier n’est pas reconnu : enregistrez-le en « CSV UTF-8 ».',
  utf_32: 'Ce fichier est encodé en UTF-32 : enregistrez-le en « CSV UTF-8 ».',
}

/** Returns the French refusal of a list that is too heavy. */
export const peopleFileTooHeavy = (): string =>
  `Ce fichier est trop lourd : ${MAX_PEOPLE_FILE_BYTES / 1_048_576} Mo au plus.`

/** Returns the rows of a pasted list. Cells that were copied from a spreadsheet are separated by tabs. */
export const rowsOfText = (text: string, parseCsv: ParseCsv): string[][] => {
  const separated = text.includes('\t') ? `sep=\t\n${text}` : text
  return readCsvRows(separated, MAX_ROWS, parseCsv, 'keep blank rows')
}

/** Returns the rows of a file in CSV, or a French refusal. Never throws. */
export const rowsOfCsvFile = (bytes: Uint8Array, parseCsv: ParseCsv): PeopleRows => {
  const decoded = decodeFile(bytes)
  return 'text' in decoded
    ? { rows: rowsOfText(decoded.text, parseCsv) }
    : { refusal: REFUSALS[decoded.refusal] }
}
