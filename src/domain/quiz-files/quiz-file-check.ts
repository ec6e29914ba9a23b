import {
  RefusedEdit,
  refuseUnlessChoice,
  unknownTieQuestionError,
} from '#domain/editing/edit-rules.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import { isPictureField, type QuizFile } from './quiz-file.ts'

/** Image that a file shows: its id in the file, and the path of the field. */
type ShownImage = { id: string; path: string }

const picturesIn = (path: string, row: object): ShownImage[] =>
  Object.entries(row).flatMap(([name, value]) =>
    isPictureField(name) && typeof value === 'string'
      ? [{ id: value, path: `${path}.${name}` }]
      : [],
  )

const picturesShown = ({ quiz, results, questions }: QuizFile): ShownImage[] => [
  ...picturesIn('quiz', quiz),
  ...results.flatMap((result, index) => picturesIn(`results.${index}`, result)),
  ...questions.flatMap((question, index) => [
    ...picturesIn(`questions.${index}`, question),
    ...question.answers.flatMap((answer, place) =>
      picturesIn(`questions.${index}.answers.${place}`, answer),
    ),
  ]),
]

/** Returns the ids of rows. Throws a RefusedEdit if two are equal. */
const idsOf = (rows: readonly { id: string; path: string }[]): Set<string> => {
  const ids = new Set<string>()
  for (const { id, path } of rows) {
    if (ids.has(id))
      throw new RefusedEdit('Cet identifiant est déjà celui d’un autre élément du fichier', {
        field: `${path}.id`,
      })
    ids.add(id)
  }
  return ids
}

/** Returns the rows of a list that have an id, with their paths. */
const located = (
  rows: readonly { id?: string | undefined }[],
  path: string,
): { id: string; path: string }[] =>
  rows.flatMap(({ id }, index) => (id === undefined ? [] : [{ id, path: `${path}.${index}` }]))

/**
 * Returns the ids of the images that the file shows; other images are ignored. Throws a RefusedEdit, with the path of
 * the field, if a reference is missing or an id or link is duplicate.
 */
export const checkFile = (file: QuizFile): Set<string> => {
  const results = idsOf(located(file.results, 'results'))
  const questions = idsOf(located(file.questions, 'questions'))
  const pictures = idsOf(located(file.pictures, 'pictures'))
  const dimensions = idsOf(located(file.dimensions, 'dimensions'))
  idsOf(file.dimensions.flatMap(({ tiers }, at) => located(tiers, `dimensions.${at}.tiers`)))
  idsOf(file.questions.flatMap(({ answers }, at) => located(answers, `questions.${at}.answers`)))
  for (const [index, question] of file.questions.entries()) {
    if (question.id === file.quiz.tie_question_id && !isChoice(question))
      throw unknownTieQuestionError('quiz.tie_question_id')
    if (question.dimension_id && !dimensions.has(question.dimension_id))
      throw new RefusedEdit('Cette dimension n’est pas dans le fichier', {
        field: `questions.${index}.dimension_id`,
      })
    const path = `questions.${index}.answers`
    if (question.answers.length > 0) refuseUnlessChoice(question, path)
    for (const [place, { associations }] of question.answers.entries())
      checkLinks(associations, results, `${path}.${place}.associations`)
  }
  for (const [index, { place, result_id }] of file.text_variants.entries())
    if (place === 'result' ? !results.has(result_id ?? '') : result_id !== null)
      throw new RefusedEdit(
        place === 'result'
          ? 'Ce résultat n’est pas dans le fichier'
          : 'Seul un texte d’un résultat nomme un résultat',
        { field: `text_variants.${index}.result_id` },
      )
  const { tie_question_id } = file.quiz
  if (tie_question_id && !questions.has(tie_question_id))
    throw unknownTieQuestionError('quiz.tie_question_id')
  const shown = picturesShown(file)
  const missing = shown.find(({ id }) => !pictures.has(id))
  if (missing)
    throw new RefusedEdit('Cette image n’est pas dans le fichier', { field: missing.path })
  return new Set(shown.map(({ id }) => id))
}

const checkLinks = (
  links: readonly { result_id: string }[],
  results: ReadonlySet<string>,
  path: string,
): void => {
  const linked = new Set<string>()
  for (const [index, { result_id }] of links.entries()) {
    const field = `${path}.${index}.result_id`
    if (!results.has(result_id))
      throw new RefusedEdit('Ce résultat n’est pas dans le fichier', { field })
    if (linked.has(result_id))
      throw new RefusedEdit('Cette réponse est déjà liée à ce résultat', { field })
    linked.add(result_id)
  }
}
