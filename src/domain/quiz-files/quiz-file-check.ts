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

/** Returns the ids of the rows of a list. Throws a RefusedEdit if two are equal. */
const idsOf = (name: 'results' | 'questions' | 'pictures', file: QuizFile): Set<string> => {
  const ids = new Set<string>()
  for (const [index, { id }] of file[name].entries()) {
    if (ids.has(id))
      throw new RefusedEdit('Cet identifiant est déjà celui d’un autre élément du fichier', {
        field: `${name}.${index}.id`,
      })
    ids.add(id)
  }
  return ids
}

/**
 * Returns the ids of the images that the file shows; other images are ignored. Throws a RefusedEdit, with the path of
 * the field, if a reference is missing or an id or link is duplicate.
 */
export const checkFile = (file: QuizFile): Set<string> => {
  const results = idsOf('results', file)
  const questions = idsOf('questions', file)
  const pictures = idsOf('pictures', file)
  for (const [index, question] of file.questions.entries()) {
    if (question.id === file.quiz.tie_question_id && !isChoice(question))
      throw unknownTieQuestionError('quiz.tie_question_id')
    const path = `questions.${index}.answers`
    if (question.answers.length > 0) refuseUnlessChoice(question, path)
    for (const [place, { associations }] of question.answers.entries())
      checkLinks(associations, results, `${path}.${place}.associations`)
  }
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
