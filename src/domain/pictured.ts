import type { QuizPage } from './quiz.ts'

type QuizImages = Pick<QuizPage, 'welcome_image_id' | 'logo_image_id' | 'background_image_id'>
type MayHaveOne = { image_id?: string | null | undefined }

/** Whatever has pictures: a draft, a snapshot, or what is changed of a draft. */
type Pictures = {
  quiz: { [Name in keyof QuizImages]?: string | null | undefined }
  results: readonly MayHaveOne[]
  questions: readonly (MayHaveOne & { answers?: readonly MayHaveOne[] })[]
  answers?: readonly MayHaveOne[]
}

/** The pictures that something shows, each once: the name of the field that has it, by its id. */
export const imagesOf = ({
  quiz,
  results,
  questions,
  answers = [],
}: Pictures): Map<string, string> => {
  const owners = [
    ...results,
    ...questions,
    ...questions.flatMap((question) => question.answers ?? []),
    ...answers,
  ]
  const { welcome_image_id, logo_image_id, background_image_id } = quiz
  const named = [
    ...owners.map(({ image_id }) => ['image_id', image_id] as const),
    ...Object.entries({ welcome_image_id, logo_image_id, background_image_id }),
  ]
  return new Map(named.flatMap(([field, id]) => (id ? [[id, field]] : [])))
}
