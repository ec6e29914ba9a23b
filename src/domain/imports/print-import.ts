import { sizeError } from '#domain/questionnaire/questionnaire-size.ts'
import type { Draft, Question } from '#domain/questionnaire/quiz.ts'
import { MAX_TEXT_LENGTH, MAX_TEXT_LINES } from '#domain/text-format/lines.ts'
import { printText } from '#domain/text-format/print-text.ts'
import { questionsByPage } from '#domain/text-format/references.ts'

/** Remark about something that could not be imported, with the question that it is about. */
export type ImportRemark = { question: Question | null; message: string }
/** French remark about something that was not imported; `line` is the line of its question in the text, or null. */
type ImportNote = { line: number | null; message: string }
/** Questionnaire of another product in the text format, with remarks about the parts that were not imported. */
export type ConvertedText = { text: string; notes: ImportNote[] }

/** Returns true if the text import accepts a draft. */
const isImportable = (draft: Draft): boolean => {
  const text = printText(draft)
  const isShort = text.length <= MAX_TEXT_LENGTH && text.split('\n').length <= MAX_TEXT_LINES
  return isShort && sizeError(draft) === undefined
}

/** Returns the draft with as many of its first questions as the text import accepts. */
const keepImportable = (draft: Draft): Draft => {
  let [nb_fitting, refused] = [0, draft.questions.length + 1]
  const first = (count: number): Draft => ({
    ...draft,
    questions: draft.questions.slice(0, count),
    text_blocks: count === draft.questions.length ? draft.text_blocks : [],
  })
  while (refused - nb_fitting > 1) {
    const middle = Math.floor((nb_fitting + refused) / 2)
    if (isImportable(first(middle))) nb_fitting = middle
    else refused = middle
  }
  return first(nb_fitting)
}

/** Returns the line of each question in a printed text, by its id. */
const linesOfQuestions = (text: string, draft: Draft): Map<string, number> => {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => /^## Page \d/.test(line))
  const headings = [...lines.entries()].filter(
    ([index, line]) => index > start && /^###(?: |$)/.test(line),
  )
  return new Map(questionsByPage(draft).map(({ id }, rank) => [id, (headings[rank]?.[0] ?? 0) + 1]))
}

/** Prints an imported draft and finds the line of each remark. A draft that is too large loses its last questions. */
export const printImport = (imported: Draft, remarks: readonly ImportRemark[]): ConvertedText => {
  const draft = isImportable(imported) ? imported : keepImportable(imported)
  const text = printText(draft)
  const lines = linesOfQuestions(text, draft)
  const notes = remarks.map(({ question, message }) => ({
    line: (question && lines.get(question.id)) ?? null,
    message,
  }))
  const nb_lost = imported.questions.length - draft.questions.length
  if (draft !== imported)
    notes.unshift({
      line: null,
      message: `Le questionnaire est trop long : ses textes libres et ses ${nb_lost} dernières questions ne sont pas repris.`,
    })
  return { text, notes: notes.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) }
}
