import type { Draft } from '#domain/questionnaire/quiz.ts'
import {
  fileOfDraft,
  MAX_QUIZ_FILE_BYTES,
  MAX_QUIZ_FILE_IMAGES,
} from '#domain/quiz-files/quiz-file.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { findFile, largestFiles, type StoredFile } from '#server/images/images.store.ts'
import {
  MAX_CONTENT_BYTES,
  MAX_FILE_VALUES,
  MIN_PICTURE_BYTES,
  measureJson,
} from './parsing/measure-json.ts'

/** Returns the length in base64 of this many bytes. */
const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3)

/** Size in bytes of the JSON around the data of a picture. */
const PICTURE_OVERHEAD_BYTES = 100
/** Number of JSON values of a picture, as `measureJson` counts them: an object and its three fields. */
const VALUES_PER_PICTURE = 4

type PreparedFile = {
  /** JSON text of the file without its pictures and its closing brace. */
  head: string
  pictures: (StoredFile & { name: string })[]
}

/**
 * Prepares the JSON text of a draft and the list of its pictures in their largest size. Throws a 422 if the
 * file would exceed a limit, because it could not be imported again.
 */
export const prepareQuizFile = async (db: Db, draft: Draft): Promise<PreparedFile> => {
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
  const stored = await largestFiles(
    db,
    pictures.map(({ image_id }) => image_id),
  )
  const sizes = stored.map((picture) => base64Length(picture.bytes) + PICTURE_OVERHEAD_BYTES)
  const total = sizes.reduce((sum, size) => sum + size, bytes.length)
  if (total > MAX_QUIZ_FILE_BYTES)
    throw invalid(
      `Les images de ce questionnaire sont trop lourdes : un fichier a ${MAX_QUIZ_FILE_BYTES / 1_048_576} Mo au plus`,
    )
  const names = new Map(pictures.map(({ id, image_id }) => [image_id, id]))
  return {
    head,
    pictures: stored.map((one) => ({ ...one, name: names.get(one.image_id) ?? one.image_id })),
  }
}

/** Yields the text of the file in parts, and reads one picture at a time. */
export async function* quizFileParts(
  db: Db,
  { head, pictures }: PreparedFile,
): AsyncGenerator<string> {
  yield `${head},"pictures":[`
  let separator = ''
  for (const { name: id, image_id, size } of pictures) {
    const data = await findFile(db, image_id, size)
    // The error aborts the response, so that a truncated file is not mistaken for a complete file.
    if (!data) throw new Error(`The picture ${image_id} is gone`)
    yield separator + JSON.stringify({ id, type: 'image/webp', data: data.toString('base64') })
    separator = ','
  }
  yield ']}'
}
