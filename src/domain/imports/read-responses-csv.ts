import { comparableText } from '#domain/common/comparable-text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { type ParseCsv, readCsvRows, readFirstCell } from './csv-rows.ts'
import { createImportBuilder, type ImportBuilder, quoteShort } from './import-builder.ts'
import { inferChoices, MAX_CHOICES } from './infer-choices.ts'
import { plainText } from './json-values.ts'
import type { ConvertedText } from './print-import.ts'
import { type CsvColumn, type CsvGrid, readColumns } from './responses-columns.ts'

/** Converts the answers of a Google form, downloaded as CSV, into a text. Each column or grid becomes a question. */

/** Maximum number of rows, with the header, that are read to recognise the kind of a question. */
const MAX_ROWS = 2_001
const MAX_COLUMNS = 1_000
/** Names that Google Forms gives to the first column in several languages. */
const TIMESTAMP =
  /^(?:horodateur|timestamp|zeitstempel|marca temporal|informazioni cronologiche|carimbo de data\/hora|tijdstempel)$/
const EMAIL = /^(?:adresse e-?mail|email address|e-?mail|nom d'utilisateur|username)$/

/** Returns true if a text is a CSV file whose first column has the time of each response. */
export const isResponsesCsv = (text: string, parse: ParseCsv): boolean =>
  TIMESTAMP.test(comparableText(readFirstCell(text, parse)))

/** Maximum number of columns that the remark about columns of points names. */
const MAX_NAMED = 10

/** Converts the answers. Never throws. `file_name` gives the questionnaire its name. */
export const readResponsesCsv = (
  text: string,
  file_name: string,
  parse: ParseCsv,
): ConvertedText => {
  const builder = createImportBuilder()
  builder.setName(plainText(file_name.replace(/\.csv$/i, '')), 'Questionnaire importé')
  const [header = [], ...rows] = readCsvRows(text, MAX_ROWS, parse)
  if (header.length > MAX_COLUMNS)
    builder.note(`Le fichier a ${header.length} colonnes : ${MAX_COLUMNS} sont lues.`)
  const columns = header
    .slice(1, MAX_COLUMNS)
    .map((title, index) => ({
      title: plainText(title),
      values: rows.map((row) => plainText(row[index + 1])).filter((value) => value !== ''),
    }))
    // Spreadsheets add separators without a title and a value at the ends of lines.
    .filter(({ title, values }) => title !== '' || values.length > 0)
  const { questions, points } = readColumns(columns)
  for (const question of questions) {
    if ('rows' in question) addGrid(builder, question)
    else addColumn(builder, question)
  }
  if (points.length > 0) {
    const names = points.slice(0, MAX_NAMED).map(({ title }) => quoteShort(title))
    if (points.length > MAX_NAMED) names.push(`${points.length - MAX_NAMED} autres`)
    builder.note(`Les colonnes de points ne sont pas reprises : ${names.join(', ')}.`)
  }
  builder.note('Les pages, les sauts et les réglages ne sont pas dans un CSV de réponses.')
  return builder.finish()
}

/** Length in characters above which a reply makes its question a long text. */
const LONG_ANSWER = 100

const isWholeNumber = (value: string): boolean => /^(?:\d|10)$/.test(value)

/** Makes questions scales with one range that holds all their values. */
const makeScales = (
  builder: ImportBuilder,
  questions: readonly Question[],
  values: readonly string[],
): void => {
  const numbers = values.map(Number)
  for (const question of questions) {
    builder.fitScale(question, Math.min(1, ...numbers), Math.max(5, ...numbers))
    builder.note('L’échelle est déduite des réponses : à vérifier.', question)
  }
}
const addChoices = (
  builder: ImportBuilder,
  question: Question,
  { options, isMultiple }: { options: readonly string[]; isMultiple: boolean },
): void => {
  question.type = 'multiple_choice'
  if (isMultiple) question.max_choices = null
  for (const option of options) builder.addAnswer(question, option)
  builder.note('Les choix sont ceux que des participants ont pris : à compléter.', question)
}

const addColumn = (builder: ImportBuilder, { title, values }: CsvColumn): void => {
  const question = builder.addQuestion({ text: title, type: 'text', is_required: false })
  if (!question) return
  const choices = inferChoices(values)
  if (EMAIL.test(comparableText(title))) question.type = 'email'
  else if (choices && values.every(isWholeNumber)) makeScales(builder, [question], values)
  else if (choices) addChoices(builder, question, choices)
  else if (values.some((value) => value.length > LONG_ANSWER)) question.type = 'textarea'
}

/** Adds a grid of scales or of single choices. Columns that fit neither become questions of their own. */
const addGrid = (builder: ImportBuilder, { title, rows }: CsvGrid): void => {
  const values = rows.flatMap((row) => row.values)
  const inferred = inferChoices(values)
  const options = inferred?.options ?? [...new Set(values)]
  const isShort = options.every((option) => option.length <= LIMITS.answer_text)
  if (options.length === 0 || options.length > MAX_CHOICES || !isShort) {
    for (const row of rows) addColumn(builder, { ...row, title: row.whole_title })
    return
  }
  const isScale = values.every(isWholeNumber)
  const isMultiple = !isScale && inferred?.isMultiple === true
  if (isMultiple) builder.addText(title && `**${title}**`)
  const questions = rows.flatMap((row, index) => {
    const grid_title = isMultiple || index > 0 ? null : title
    const continues_grid = !isMultiple && index > 0
    return (
      builder.addQuestion({
        text: row.title,
        type: 'text',
        is_required: false,
        grid_title,
        continues_grid,
      }) ?? []
    )
  })
  if (isScale) makeScales(builder, questions, values)
  else for (const question of questions) addChoices(builder, question, { options, isMultiple })
  if (isMultiple)
    for (const question of questions)
      builder.note('Une grille de cases devient une question à choix par ligne.', question)
}
