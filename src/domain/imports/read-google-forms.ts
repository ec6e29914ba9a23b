import { LIMITS } from '#domain/common/vocabulary.ts'
import { JUMP_TO_END, type Question } from '#domain/questionnaire/quiz.ts'
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

/** Converts a form of the Google Forms API (`forms.get`) into a text. */

/** Returns true if a JSON file is a form of the Google Forms API. */
export const isGoogleForm = (file: Fields): boolean =>
  Array.isArray(file.items) &&
  (typeof file.formId === 'string' || fieldsOf(file.info).title !== undefined) &&
  !('groups' in file)

/** French names of the kinds of questions that the product does not have. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  fileUploadQuestion: 'l’envoi d’un fichier',
}

/** Converts a form. Never throws. */
export const readGoogleForm = (file: Fields): ConvertedText => {
  const builder = createImportBuilder()
  const info = fieldsOf(file.info)
  const isQuiz = fieldsOf(fieldsOf(file.settings).quizSettings).isQuiz === true
  const context: Context = { builder, isQuiz, total: 0 }
  builder.setName(plainText(info.title) || plainText(info.documentTitle), 'Questionnaire importé')
  builder.setWelcome('', longText(info.description), '')
  for (const item of rowsOf(file.items)) addItem(context, item)
  if (isQuiz) addScoreResult(context)
  return builder.finish()
}

type Context = {
  builder: ImportBuilder
  isQuiz: boolean
  /** Points of all questions. */
  total: number
}

const addScoreResult = ({ builder, total }: Context): void => {
  builder.setKind('quiz', 'score')
  const result = builder.addResult('Votre score', '')
  if (result) Object.assign(result, { min_score: 0, max_score: total })
  builder.note('Google Forms n’a pas de résultats : « Votre score » les remplace, à compléter.')
}

const addItem = (context: Context, item: Fields): void => {
  const { builder } = context
  const [title, description] = [plainText(item.title), longText(item.description)]
  const heading = [title && `**${title}**`, description].filter(Boolean).join('\n\n')
  if ('pageBreakItem' in item) {
    builder.beginPage(textOf(item.itemId))
    builder.addText(heading)
  } else if ('questionItem' in item) addSingle(context, item, { title, description })
  else if ('questionGroupItem' in item) addGroup(context, item, { title, description })
  else if ('textItem' in item) builder.addText(heading)
  else if ('imageItem' in item) builder.note(`L’image ${quoteShort(title)} n’est pas reprise.`)
  else if ('videoItem' in item) builder.note(`La vidéo ${quoteShort(title)} n’est pas reprise.`)
  else builder.note(`L’élément ${quoteShort(title)} est d’un genre inconnu.`)
}

type Heading = { title: string; description: string }

const addSingle = (context: Context, item: Fields, { title, description }: Heading): void => {
  const { builder } = context
  const holder = fieldsOf(item.questionItem)
  const source = fieldsOf(holder.question)
  const kind = Object.keys(source).find((key) => key.endsWith('Question')) ?? ''
  const missing = lookUp(LEFT_OUT, kind)
  if (missing !== undefined || kind === '') {
    const what = missing ?? 'son genre'
    builder.note(`La question ${quoteShort(title)} n’est pas reprise : ${what} n’existe pas ici.`)
    return
  }
  const question = builder.addQuestion({
    text: title,
    help: description,
    is_required: source.required === true,
  })
  if (!question) return
  if ('image' in holder) builder.note('L’image de la question n’est pas reprise.', question)
  setKind(context, question, source)
}

const setKind = (context: Context, question: Question, source: Fields): void => {
  const { builder } = context
  if ('choiceQuestion' in source) addChoices(context, question, source)
  else if ('scaleQuestion' in source) {
    const scale = fieldsOf(source.scaleQuestion)
    builder.fitScale(question, numberOf(scale.low) ?? 1, numberOf(scale.high) ?? 5)
    builder.setScaleLabels(question, plainText(scale.lowLabel), plainText(scale.highLabel))
  } else if ('ratingQuestion' in source)
    builder.fitScale(question, 1, numberOf(fieldsOf(source.ratingQuestion).ratingScaleLevel) ?? 5)
  else if ('dateQuestion' in source) {
    question.type = 'date'
    if (fieldsOf(source.dateQuestion).includeTime === true)
      builder.note('L’heure demandée avec la date n’est pas reprise.', question)
  } else {
    question.type = fieldsOf(source.textQuestion).paragraph === true ? 'textarea' : 'text'
    if ('timeQuestion' in source)
      builder.note('La question d’heure devient un texte court.', question)
    else if (!('textQuestion' in source))
      builder.note('Le genre de cette question est inconnu : un texte court la remplace.', question)
  }
  noteGrading(context, question, source)
}

/** Adds a remark if a question without choices has points, because only answers can have points here. */
const noteGrading = ({ builder, isQuiz }: Context, question: Question, source: Fields): void => {
  const points = numberOf(fieldsOf(source.grading).pointValue) ?? 0
  if (isQuiz && points > 0 && question.type !== 'multiple_choice')
    builder.note(`Les ${points} points de cette question ne sont pas repris.`, question)
}

const addChoices = (context: Context, question: Question, source: Fields): void => {
  const { builder, isQuiz } = context
  const choice = fieldsOf(source.choiceQuestion)
  const grading = fieldsOf(source.grading)
  const right = new Set(
    rowsOf(fieldsOf(grading.correctAnswers).answers).map(({ value }) => plainText(value)),
  )
  const points = isQuiz ? Math.max(0, numberOf(grading.pointValue) ?? 0) : 0
  const isGraded = isQuiz && right.size > 0
  question.max_choices = choice.type === 'CHECKBOX' ? null : 1
  question.shuffles_answers = choice.shuffle === true
  question.all_or_nothing = isGraded && right.size > 1
  const feedback = fieldsOf(grading.generalFeedback).text ?? fieldsOf(grading.whenWrong).text
  question.explanation = builder.fitOrNull(longText(feedback), LIMITS.explanation, question)
  let nb_right = 0
  for (const option of rowsOf(choice.options)) {
    if (option.isOther === true) {
      question.has_other = true
      continue
    }
    const text = plainText(option.value)
    const answer = builder.addAnswer(question, text)
    if (!answer) break
    if ('image' in option)
      builder.note(`L’image de la réponse ${quoteShort(text)} n’est pas reprise.`, question)
    if (isGraded) {
      answer.is_correct = right.has(text)
      const share = Math.floor(points / right.size)
      // The first right answer gets the remainder, so that the scores of all right answers add up to the points.
      const own = nb_right === 0 ? points - share * (right.size - 1) : share
      builder.addScore(answer, answer.is_correct ? own : 0)
      if (answer.is_correct) nb_right++
    }
    addJump(context, { question, answer, option })
  }
  context.total += nb_right > 0 ? points : 0
}

type Option = { question: Question; answer: Question['answers'][number]; option: Fields }

const addJump = ({ builder }: Context, { question, answer, option }: Option): void => {
  if (typeof option.goToSectionId === 'string')
    builder.addJump(question, answer, option.goToSectionId)
  else if (option.goToAction === 'SUBMIT_FORM') answer.jump_to = JUMP_TO_END
  else if (option.goToAction === 'RESTART_FORM')
    builder.note(
      `Le retour au début après la réponse ${quoteShort(answer.text)} n’est pas repris.`,
      question,
    )
}

const addGroup = (context: Context, item: Fields, { title, description }: Heading): void => {
  const { builder } = context
  const group = fieldsOf(item.questionGroupItem)
  const columns = fieldsOf(fieldsOf(group.grid).columns)
  const isGrid = columns.type === 'RADIO'
  if ('image' in group) builder.note(`L’image de la grille ${quoteShort(title)} n’est pas reprise.`)
  if (!isGrid) builder.addText([title && `**${title}**`, description].filter(Boolean).join('\n\n'))
  for (const [index, row] of rowsOf(group.questions).entries()) {
    const question = builder.addQuestion({
      text: plainText(fieldsOf(row.rowQuestion).title),
      help: isGrid && index === 0 ? description : null,
      is_required: row.required === true,
      grid_title: isGrid && index === 0 ? title : null,
      continues_grid: isGrid && index > 0,
    })
    if (!question) return
    addChoices(context, question, { choiceQuestion: columns })
    if (!isGrid)
      builder.note('Une grille de cases devient une question à choix par ligne.', question)
  }
}
