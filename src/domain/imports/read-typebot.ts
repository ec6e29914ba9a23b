import type { QuestionType } from '#domain/common/vocabulary.ts'
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
import { readFlow, type TypebotFlow, type TypebotGroup } from './typebot-graph.ts'

/** Converts a JSON export of Typebot (versions 3 to 6) into a text. */

/** Returns true if a JSON file is an export of Typebot. */
export const isTypebot = (file: Fields): boolean =>
  Array.isArray(file.groups) && Array.isArray(file.edges)

const TYPES: Readonly<Record<string, QuestionType>> = {
  'text input': 'text',
  'number input': 'number',
  'email input': 'email',
  'url input': 'text',
  'date input': 'date',
  'phone number input': 'phone',
  'choice input': 'multiple_choice',
  'picture choice input': 'multiple_choice',
  'rating input': 'scale',
}
/** Types of blocks that show nothing to visitors. */
const SILENT = ['start', 'Wait', 'Return']
const MEDIA: Readonly<Record<string, string>> = {
  image: 'Une image n’est pas reprise.',
  video: 'Une vidéo n’est pas reprise.',
  audio: 'Un son n’est pas repris.',
  embed: 'Une page incorporée n’est pas reprise.',
}

/** Question with its block and group. The edges of the block become jumps. */
type ImportedQuestion = { question: Question; block: Fields; group: TypebotGroup }
type Context = {
  builder: ImportBuilder
  flow: TypebotFlow
  variables: Map<string, string>
  questions: ImportedQuestion[]
  /** Group that became the end of the sondage. */
  end_id: string | undefined
}

/** Converts an export. Never throws. */
export const readTypebot = (file: Fields): ConvertedText => {
  const builder = createImportBuilder()
  const flow = readFlow(file)
  const variables = new Map(
    rowsOf(file.variables).map(({ id, name }) => [textOf(id), plainText(name)]),
  )
  const context: Context = { builder, flow, variables, questions: [], end_id: undefined }
  builder.setName(plainText(file.name), 'Questionnaire importé')
  const last = flow.groups.at(-1)
  const end = last && !isAsking(last) ? last : undefined
  context.end_id = end?.id
  for (const group of flow.groups) if (group !== end) addGroup(context, group)
  if (end) addEnd(context, end)
  for (const title of flow.unreachable)
    builder.note(`Le groupe ${quoteShort(title)} n’est pas repris : aucun chemin n’y mène.`)
  for (const question of context.questions) addJumps(context, question)
  insertVariables(context)
  return builder.finish()
}

const isAsking = ({ blocks }: TypebotGroup): boolean =>
  blocks.some((block) => lookUp(TYPES, textOf(block.type)) !== undefined)

/** Maximum depth of nested rich text; deeper nodes are ignored. */
const MAX_DEPTH = 8

const richText = (nodes: unknown, depth = 0): string => {
  if (depth === MAX_DEPTH) return ''
  return rowsOf(nodes)
    .map((node) => {
      const inner = textOf(node.text) + richText(node.children, depth + 1)
      return depth === 0 || node.type === 'li' ? `${inner}\n` : inner
    })
    .join('')
}

/** Returns the text of a text block, also in the form of older Typebot versions. */
const bubbleText = ({ content }: Fields): string => {
  const { richText: nodes, plainText: plain, html } = fieldsOf(content)
  return longText(richText(nodes) || textOf(plain) || textOf(html))
}

/** Adds the last group as the end of the sondage. */
const addEnd = (context: Context, { blocks }: TypebotGroup): void => {
  const texts = blocks.filter(({ type }) => type === 'text').map(bubbleText)
  context.builder.setEnd('', texts.filter(Boolean).join('\n\n'))
  for (const block of blocks) if (block.type !== 'text') noteBlock(context, block)
}

const addGroup = (context: Context, group: TypebotGroup): void => {
  const { builder, questions, flow } = context
  builder.beginPage(group.id)
  let texts: string[] = []
  for (const block of group.blocks) {
    const type = lookUp(TYPES, textOf(block.type))
    if (block.type === 'text') texts.push(bubbleText(block))
    else if (type) {
      const text = texts.pop() ?? ''
      for (const text of texts) builder.addText(text)
      texts = []
      const question = addQuestion(context, block, { type, text, title: group.title })
      if (question) questions.push({ question, block, group })
      builder.beginPage()
    } else noteBlock(context, block)
  }
  for (const text of texts) builder.addText(text)
  const following = flow.followingOf(group)
  if (flow.returnsToSeveral(group))
    builder.note(
      `Le groupe ${quoteShort(plainText(group.title))} revient à plusieurs endroits : la page suivante vient.`,
    )
  else if (!isAsking(group) && following !== undefined && flow.nextOf(group) !== following)
    builder.note(
      `La suite du groupe ${quoteShort(plainText(group.title))} n’est pas reprise : la page suivante vient.`,
    )
}

type Input = { type: QuestionType; text: string; title: string }

const addQuestion = (context: Context, block: Fields, { type, text, title }: Input) => {
  const { builder, variables } = context
  const options = fieldsOf(block.options)
  const [line = '', ...help] = text.split('\n').filter((part) => part !== '')
  const question = builder.addQuestion({
    type,
    text: line || plainText(title),
    help: help.join(' '),
    label: variables.get(textOf(options.variableId)) ?? '',
  })
  if (!question) return undefined
  if (type === 'text' && options.isLong === true) question.type = 'textarea'
  if (block.type === 'url input')
    builder.note('La question d’adresse web devient un texte court.', question)
  if (type === 'scale') {
    const from = numberOf(options.startsAt) ?? 1
    builder.fitScale(question, from, numberOf(options.length) ?? 10)
    const { left, right } = fieldsOf(options.labels)
    builder.setScaleLabels(question, plainText(left), plainText(right))
  }
  if (type !== 'multiple_choice') return question
  if (options.isMultipleChoice === true) question.max_choices = null
  for (const item of rowsOf(block.items)) {
    const words = plainText(item.content) || plainText(item.title)
    if (!builder.addAnswer(question, words)) break
    if (item.pictureSrc !== undefined)
      builder.note(`L’image de la réponse ${quoteShort(words)} n’est pas reprise.`, question)
  }
  return question
}

/** Adds a remark about a block that the product does not have. */
const noteBlock = ({ builder, variables, flow }: Context, block: Fields): void => {
  const type = textOf(block.type)
  if (flow.jumpTargetOf(block) !== undefined) return
  const options = fieldsOf(block.options)
  const medium = lookUp(MEDIA, type)
  if (medium !== undefined) builder.note(medium)
  else if (type === 'Set variable') {
    const name = variables.get(textOf(options.variableId)) ?? ''
    builder.note(`Le calcul de ${quoteShort(name)} n’est pas repris.`)
  } else if (type === 'Condition')
    builder.note('Une condition n’est pas reprise : les réponses mènent à la suite.')
  else if (type === 'Redirect')
    builder.note(`La redirection vers ${quoteShort(textOf(options.url))} n’est pas reprise.`)
  else if (!SILENT.includes(type))
    builder.note(`Le bloc ${quoteShort(type)} n’existe pas ici : il n’est pas repris.`)
}

/** Makes each answer of a question lead to the group of its edge, unless the group is the next page. */
const addJumps = (
  { builder, flow, end_id }: Context,
  { question, block, group }: ImportedQuestion,
): void => {
  const isLast = group.blocks.findLast((other) => lookUp(TYPES, textOf(other.type))) === block
  const following = flow.followingOf(group)
  const next = flow.returnsToSeveral(group) ? following : flow.nextOf(group)
  const usual = isLast ? next : undefined
  for (const [index, item] of rowsOf(block.items).entries()) {
    const answer = question.answers[index]
    const target = flow.targetOf(item.outgoingEdgeId) ?? usual
    if (answer && target !== undefined && target !== following)
      builder.addJump(question, answer, target === end_id ? null : target)
    else if (answer && isLast && target === undefined && following !== undefined)
      builder.addJump(question, answer, null)
  }
  const isLost = isLast && question.answers.length === 0 && usual !== following
  if (isLost)
    builder.note('La suite de cette question n’est pas reprise : la page suivante vient.', question)
}

const INSERTION = /\{\{([^{}]+)\}\}/g

/** Keeps the insertions of variables that a question fills, and removes all others from the texts. */
const insertVariables = ({ builder }: Context): void => {
  const labels = new Set<string>()
  for (const question of builder.questions) {
    if (question.label !== null && labels.has(question.label)) question.label = null
    if (question.label !== null) labels.add(question.label)
  }
  builder.replaceTexts((text, question) =>
    text.replaceAll(INSERTION, (written, name: string) => {
      if (labels.has(name.trim())) return `{{${name.trim()}}}`
      builder.note(`La variable ${quoteShort(written)} n’est pas reprise.`, question)
      return ''
    }),
  )
}
