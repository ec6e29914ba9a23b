import type { Draft } from '#domain/questionnaire/quiz.ts'
import { fileOfDraft, MAX_QUIZ_FILE_IMAGES } from '#domain/quiz-files/quiz-file.ts'
import { invalid } from '#server/http/edge/errors.ts'
import {
  MAX_CONTENT_BYTES,
  MAX_FILE_VALUES,
  MIN_PICTURE_BYTES,
  measureJson,
} from '#server/quiz-files/parsing/measure-json.ts'

/** Number of JSON values of a picture, as `measureJson` counts them: an object and its three fields. */
const VALUES_PER_PICTURE = 4

/** Beginning of a quiz file, before the data of its pictures. */
export type QuizHead = {
  /** JSON text of the file without its pictures and its closing brace. */
  head: string
  bytes: number
  /** Ids in the file and ids of the stored images. */
  pictures: { id: string; image_id: string }[]
}

/**
 * Writes the beginning of the file of a draft. Throws a 422 if the file would exceed a limit, because it could not be
 * imported again.
 */
export const writeQuizHead = (draft: Draft): QuizHead => {
  const { file, pictures } = fileOfDraft(draft)
  if (pictures.length > MAX_QUIZ_FILE_IMAGES)
    throw invalid(
      `Ce questionnaire a ${pictures.length} images : un fichier en contient ${MAX_QUIZ_FILE_IMAGES} au plus`,
    )
  const head = JSON.stringify(file).slice(0, -1)
  const bytes = Buffer.from(head)
  const measured = measureJson(bytes)
  const nb_values = measured.nb_values + (pictures.length + 1) * VALUES_PER_PICTURE
  const content_bytes = measured.content_bytes + (pictures.length + 1) * MIN_PICTURE_BYTES
  if (measured.excess || nb_values > MAX_FILE_VALUES || content_bytes > MAX_CONTENT_BYTES)
    throw invalid(
      'Ce questionnaire a trop de réponses et de liens avec les résultats pour tenir dans un fichier',
    )
  return { head, bytes: bytes.length, pictures }
}
