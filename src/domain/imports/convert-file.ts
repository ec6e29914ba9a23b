import { isBlankText } from '#domain/common/text.ts'
import { QUIZ_FILE_FORMAT } from '#domain/quiz-files/quiz-file.ts'
import type { ParseCsv } from './csv-rows.ts'
import { decodeFile, type Encoding } from './decode-file.ts'
import { type Fields, fieldsOf } from './json-values.ts'
import type { ConvertedText } from './print-import.ts'
import { isGoogleForm, readGoogleForm } from './read-google-forms.ts'
import { isResponsesCsv, readResponsesCsv } from './read-responses-csv.ts'
import { isTypebot, readTypebot } from './read-typebot.ts'
import { isTypeform, readTypeform } from './read-typeform.ts'

/** Maximum size of a file of another product, in bytes. */
export const MAX_FOREIGN_FILE_BYTES = 5 * 1_048_576

/** Outcome of reading a file: our own quiz file, a converted text, or a French refusal. */
export type ConvertedFile =
  | { kind: 'quiz_file' }
  | ({ kind: 'text'; product: string } & ConvertedText)
  | { kind: 'refused'; message: string }

type JsonFormat = {
  product: string
  matches: (file: Fields) => boolean
  read: (file: Fields) => ConvertedText
}
type CsvFormat = {
  product: string
  matches: (content: string, parse: ParseCsv) => boolean
  read: (content: string, file_name: string, parse: ParseCsv) => ConvertedText
}

/** Formats of other products in JSON, in the order in which they are tried. */
export const JSON_FORMATS = {
  typebot: { product: 'Typebot', matches: isTypebot, read: readTypebot },
  typeform: { product: 'Typeform', matches: isTypeform, read: readTypeform },
  google_form: { product: 'Google Forms', matches: isGoogleForm, read: readGoogleForm },
} satisfies Record<string, JsonFormat>

/** Formats of other products in CSV, in the order in which they are tried. */
export const CSV_FORMATS = {
  google_responses: { product: 'Google Forms', matches: isResponsesCsv, read: readResponsesCsv },
} satisfies Record<string, CsvFormat>

const UNKNOWN =
  'Ce fichier n’est pas reconnu : il faut un export de Quizaine, de Typebot ou de Typeform, le JSON de l’API Google Forms, ou le CSV de ses réponses.'
const ENCODING =
  'Enregistrez-le en « CSV UTF-8 », puis réessayez : l’UTF-8, l’UTF-16, le Windows-1252, l’ISO-8859-15, le CP850 et le Mac Roman sont lus.'
const REFUSALS = {
  binary: UNKNOWN,
  unknown: `L’encodage de ce fichier n’est pas reconnu. ${ENCODING}`,
  utf_32: `Ce fichier est encodé en UTF-32. ${ENCODING}`,
}
const EMPTY = 'Ce fichier est vide.'
const BROKEN = 'Ce fichier JSON est incomplet ou abîmé : exportez-le de nouveau.'
const NO_QUESTION = 'Ce fichier ne contient aucune question à reprendre.'

/** Returns the French refusal of a file of another product that is too large. */
export const foreignFileTooLarge = (): string =>
  `Ce fichier est trop lourd : ${MAX_FOREIGN_FILE_BYTES / 1_048_576} Mo au plus pour un export d’un autre produit.`

/** Returns the encoding of our own quiz file by its beginning, which has the name of the format; undefined for other files. */
export const ownFileEncoding = (beginning: Uint8Array): Encoding | undefined => {
  const decoded = decodeFile(beginning, true)
  const isOwn = 'text' in decoded && decoded.text.includes(`"${QUIZ_FILE_FORMAT}"`)
  return isOwn ? decoded.encoding : undefined
}

/** Decodes a file, detects its product by its content, and converts the file with `parseCsv`. Never throws. */
export const convertBytes = (
  bytes: Uint8Array,
  file_name: string,
  parseCsv: ParseCsv,
): ConvertedFile => {
  const decoded = decodeFile(bytes)
  return 'text' in decoded
    ? convertFile(decoded.text, file_name, parseCsv)
    : { kind: 'refused', message: REFUSALS[decoded.refusal] }
}

/** Detects the product of a decoded file by its content, and converts the file with `parseCsv`. Never throws. */
export const convertFile = (
  content: string,
  file_name: string,
  parseCsv: ParseCsv,
): ConvertedFile => {
  if (isBlankText(content)) return { kind: 'refused', message: EMPTY }
  for (const { product, matches, read } of Object.values(CSV_FORMATS))
    if (matches(content, parseCsv))
      return refuseIfEmpty(product, read(content, file_name, parseCsv))
  if (!/^\s*[{[]/.test(content)) return { kind: 'refused', message: UNKNOWN }
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch {
    return { kind: 'refused', message: BROKEN }
  }
  const file = fieldsOf(parsed)
  if (file.format === QUIZ_FILE_FORMAT) return { kind: 'quiz_file' }
  // Some programs wrap the answer of an API call in another object.
  for (const candidate of [
    file,
    ...['typebot', 'form', 'result', 'data'].map((name) => fieldsOf(file[name])),
  ])
    for (const { product, matches, read } of Object.values(JSON_FORMATS))
      if (matches(candidate)) return refuseIfEmpty(product, read(candidate))
  return { kind: 'refused', message: UNKNOWN }
}

/** Returns a converted text, or the refusal of a file without questions and texts. */
const refuseIfEmpty = (product: string, text: ConvertedText): ConvertedFile =>
  /^## Page/m.test(text.text)
    ? { kind: 'text', product, ...text }
    : { kind: 'refused', message: NO_QUESTION }
