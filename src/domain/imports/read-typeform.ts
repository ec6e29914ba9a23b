import { LIMITS, type QuestionType } from '#domain/common/vocabulary.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { createImportBuilder, type ImportBuilder, quoteShort } from './import-builder.ts'
import {
  type Fields,
  fieldsOf,
  longText,
  lookUp,
  numberOf,
  plainText,
  rowsOf,
  textOf,
} from './json-values.ts'
import type { ConvertedText } from './print-import.ts'
import { applyTypeformLogic, type TypeformRows } from './typeform-logic.ts'

/** Converts a form of the Typeform Create API (`GET /forms/{id}`) into a text. */

/** Returns true if a JSON file is a form of Typeform. */
export const isTypeform = (file: Fields): boolean =>
  Array.isArray(file.fields) &&
  (Array.isArray(file.thankyou_screens) ||
    Array.isArray(file.welcome_screens) ||
    Array.isArray(file.logic) ||
    'workspace' in file ||
    textOf(fieldsOf(file._links).display).includes('typeform'))

/** Maximum depth of nested groups; a deeper group is not imported. */
const MAX_DEPTH = 5

const TYPES: Readonly<Record<string, QuestionType>> = {
  short_text: 'text',
  long_text: 'textarea',
  email: 'email',
  phone_number: 'phone',
  number: 'number',
  date: 'date',
  website: 'text',
  multiple_choice: 'multiple_choice',
  picture_choice: 'multiple_choice',
  dropdown: 'multiple_choice',
  yes_no: 'multiple_choice',
  legal: 'multiple_choice',
  opinion_scale: 'scale',
  rating: 'scale',
  nps: 'scale',
}
/** Answers that the file does not list, by type of field, each with its value in the logic of the form. */
const FIXED_ANSWERS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  yes_no: [
    ['Oui', 'true'],
    ['Non', 'false'],
  ],
  legal: [
    ['J’accepte', 'true'],
    ['Je refuse', 'false'],
  ],
}

/** Converts a form. Never throws. */
export const readTypeform = (file: Fields): ConvertedText => {
  const builder = createImportBuilder()
  const rows: TypeformRows = {
    builder,
    questions: new Map(),
    answers: new Map(),
    results: new Map(),
  }
  builder.setName(plainText(file.title), 'Questionnaire importé')
  const [welcome, ...others] = rowsOf(file.welcome_screens)
  if (welcome) setWelcome(builder, welcome)
  for (const { title } of others)
    builder.note(`L’accueil ${quoteShort(plainText(title))} n’est pas repris : il n’y en a qu’un.`)
  for (const field of rowsOf(file.fields)) addField(rows, field, 0)
  applyTypeformLogic(rows, file)
  insertReplies(rows)
  return builder.finish()
}

const setWelcome = (builder: ImportBuilder, { title, properties, attachment }: Fields): void => {
  const { description, button_text, show_button } = fieldsOf(properties)
  const button = show_button === false ? '' : plainText(button_text)
  builder.setWelcome(plainText(title), longText(description), button)
  if (attachment) builder.note('L’image de l’accueil n’est pas reprise.')
}

/** Adds a field on a new page. Adds the field to the current page if `isTogether` is true. */
const addField = (rows: TypeformRows, field: Fields, depth: number, isTogether = false): void => {
  const { builder } = rows
  const type = textOf(field.type)
  const [ref, title] = [textOf(field.ref) || textOf(field.id), plainText(field.title)]
  const properties = fieldsOf(field.properties)
  if (!isTogether) builder.beginPage(ref)
  if (type === 'matrix') addMatrix(rows, field)
  else if (Array.isArray(properties.fields)) {
    if (depth === MAX_DEPTH) {
      builder.note(
        `Le groupe ${quoteShort(title)} n’est pas repris : il est dans trop d’autres groupes.`,
      )
      return
    }
    builder.addText(
      [title && `**${title}**`, longText(properties.description)].filter(Boolean).join('\n\n'),
    )
    const isScreen = type !== 'group'
    for (const [index, inner] of rowsOf(properties.fields).entries())
      addField(rows, inner, depth + 1, isScreen || isTogether || index === 0)
  } else if (type === 'statement') {
    builder.addText([title, longText(properties.description)].filter(Boolean).join('\n\n'))
  } else addQuestion(rows, field, { ref, type, title })
}

type FieldHeading = { ref: string; type: string; title: string }

const addQuestion = (
  rows: TypeformRows,
  field: Fields,
  { ref, type, title }: FieldHeading,
): void => {
  const { builder } = rows
  const kind = lookUp(TYPES, type)
  if (!kind) {
    builder.note(
      `La question ${quoteShort(title)} n’est pas reprise : le genre ${quoteShort(type)} n’existe pas ici.`,
    )
    return
  }
  const properties = fieldsOf(field.properties)
  const validations = fieldsOf(field.validations)
  const question = builder.addQuestion({
    text: title,
    help: longText(properties.description),
    type: kind,
    is_required: validations.required === true,
  })
  if (!question) return
  if (ref !== '') rows.questions.set(ref, question)
  if (field.attachment) builder.note('L’image de la question n’est pas reprise.', question)
  if (kind === 'scale') setScale(builder, question, type, properties)
  else if (kind === 'multiple_choice')
    addChoices(rows, question, { type, ref, properties, validations })
  else if (type === 'website')
    builder.note('La question d’adresse web devient un texte court.', question)
}

const setScale = (
  builder: ImportBuilder,
  question: Question,
  type: string,
  properties: Fields,
): void => {
  const steps = numberOf(properties.steps) ?? (type === 'rating' ? 5 : 11)
  const from = type === 'rating' || properties.start_at_one === true ? 1 : 0
  builder.fitScale(question, type === 'nps' ? 0 : from, type === 'nps' ? 10 : from + steps - 1)
  const labels = fieldsOf(properties.labels)
  builder.setScaleLabels(question, plainText(labels.left), plainText(labels.right))
  if (plainText(labels.center) !== '')
    builder.note(
      `Le libellé du milieu ${quoteShort(plainText(labels.center))} n’est pas repris.`,
      question,
    )
}

type ChoiceField = { type: string; ref: string; properties: Fields; validations: Fields }

const addChoices = (rows: TypeformRows, question: Question, field: ChoiceField): void => {
  const { builder, answers } = rows
  const { type, ref, properties, validations } = field
  const max = numberOf(validations.max_selection) ?? 0
  const isMultiple = properties.allow_multiple_selection === true
  if (isMultiple) question.max_choices = max >= 1 && max <= 100 ? max : null
  question.has_other = properties.allow_other_choice === true
  question.shuffles_answers = properties.randomize === true
  if ((numberOf(validations.min_selection) ?? 0) > 1)
    builder.note('Le nombre minimal de choix n’est pas repris.', question)
  for (const [text, value] of lookUp(FIXED_ANSWERS, type) ?? []) {
    const answer = builder.addAnswer(question, text)
    if (answer) answers.set(`${ref} ${value}`, answer)
  }
  for (const choice of rowsOf(properties.choices)) {
    const answer = builder.addAnswer(question, plainText(choice.label))
    if (!answer) break
    for (const name of [textOf(choice.ref), textOf(choice.id), textOf(choice.label)])
      if (name !== '') answers.set(`${ref} ${name}`, answer)
    if (choice.attachment)
      builder.note(`L’image de la réponse ${quoteShort(answer.text)} n’est pas reprise.`, question)
  }
}

const addMatrix = (rows: TypeformRows, field: Fields): void => {
  const title = plainText(field.title)
  for (const [index, inner] of rowsOf(fieldsOf(field.properties).fields).entries()) {
    const ref = textOf(inner.ref)
    addQuestion(rows, inner, { ref, type: textOf(inner.type), title: plainText(inner.title) })
    const question = rows.questions.get(ref)
    if (!question) continue
    const isGrid = question.max_choices === 1
    question.grid_title =
      isGrid && index === 0 ? rows.builder.fitOrNull(title, LIMITS.grid_title, question) : null
    question.continues_grid = isGrid && index > 0
  }
}

const RECALL = /\{\{(field|hidden|var|form|account|link|calculator):([^{}]+)\}\}/g

/** Replaces references to replies by insertions, and removes references to values that do not exist here. */
const insertReplies = ({ builder, questions }: TypeformRows): void => {
  const replace = (text: string, question: Question | null): string =>
    text.replaceAll(RECALL, (written, kind: string, ref: string) => {
      const repeated = kind === 'field' ? questions.get(ref) : undefined
      if (!repeated) {
        builder.note(`La valeur ${quoteShort(written)} n’est pas reprise.`, question)
        return ''
      }
      repeated.label ??= `réponse ${repeated.position + 1}`
      return `{{${repeated.label}}}`
    })
  builder.replaceTexts(replace)
}
