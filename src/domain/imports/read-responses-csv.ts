import { comparableText } from '#domain/common/comparable-text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { readCsvRows, readFirstCell } from './csv-rows.ts'
import { createImportBuilder, type ImportBuilder } from './import-builder.ts'
import { plainText } from './json-values.ts'
import type { ConvertedText } from './print-import.ts'

/** Converts the answers of a Google form, downloaded as CSV, into a text. Each column becomes a question. */

/** Maximum number of rows, with the header, that are read to recognise the kind of a question. */
const MAX_ROWS = 2_001
const MAX_COLUMNS = 1_000
/** Names that Google Forms gives to the first column in several languages. */
const TIMESTAMP =
  /^(?:horodateur|timestamp|zeitstempel|marca temporal|informazioni cronologiche|carimbo de data\/hora|tijdstempel)$/
const EMAIL = /^(?:adresse e-?mail|email address|e-?mail|nom d'utilisateur|username)$/
const SCORE = /^score$/

/** Returns true if a text is a CSV file whose first column has the time of each response. */
export const isResponsesCsv = (text: string): boolean =>
  TIMESTAMP.test(comparableText(readFirstCell(text)))

/** Converts the answers. Never throws. `file_name` gives the questionnaire its name. */
export const readResponsesCsv = (text: string, file_name: string): ConvertedText => {
  const builder = createImportBuilder()
  builder.setName(plainText(file_name.replace(/\.csv$/i, '')), 'Questionnaire importé')
  const [header = [], ...rows] = readCsvRows(text, MAX_ROWS)
  if (header.length > MAX_COLUMNS)
    builder.note(`Le fichier a ${header.length} colonnes : ${MAX_COLUMNS} sont lues.`)
  for (const [index, title] of header.slice(1, MAX_COLUMNS).entries())
    addColumn(
      builder,
      plainText(title),
      rows.map((row) => plainText(row[index + 1])),
    )
  builder.note('Les pages, les sauts et les réglages ne sont pas dans un CSV de réponses.')
  return builder.finish()
}

/** Maximum number of distinct values of a column that becomes a choice question. */
const MAX_CHOICES = 12
/** Minimum average number of rows for each distinct value, so that free texts do not become choices. */
const MIN_REPETITIONS = 2
/** Length in characters above which a reply makes its question a long text. */
const LONG_ANSWER = 100

const addColumn = (builder: ImportBuilder, title: string, cells: readonly string[]): void => {
  const folded = comparableText(title)
  if (SCORE.test(folded)) {
    builder.note('La colonne « Score » n’est pas reprise.')
    return
  }
  const question = builder.addQuestion({ text: title, type: 'text', is_required: false })
  if (!question) return
  const values = cells.filter((cell) => cell !== '')
  const distinct = [...new Set(values)]
  const parts = [...new Set(values.flatMap((value) => value.split(', ')))]
  const isRepeated = (list: readonly string[]): boolean =>
    list.length > 1 &&
    list.length <= MAX_CHOICES &&
    values.length >= MIN_REPETITIONS * list.length &&
    list.every((one) => one.length <= LIMITS.answer_text)
  const isNumber = values.length > 0 && values.every((value) => /^(?:\d|10)$/.test(value))
  if (EMAIL.test(folded)) question.type = 'email'
  else if (isNumber && isRepeated(distinct)) {
    const numbers = values.map(Number)
    builder.fitScale(question, Math.min(1, ...numbers), Math.max(5, ...numbers))
    builder.note('L’échelle est déduite des réponses : à vérifier.', question)
  } else if (isRepeated(distinct) || (isRepeated(parts) && parts.length < distinct.length)) {
    const isMultiple = parts.length < distinct.length
    question.type = 'multiple_choice'
    if (isMultiple) question.max_choices = null
    for (const one of isMultiple ? parts : distinct) builder.addAnswer(question, one)
    builder.note('Les choix sont ceux que des participants ont pris : à compléter.', question)
  } else if (values.some((value) => value.length > LONG_ANSWER)) question.type = 'textarea'
}
