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
} from './measure-json.ts'

/** Bytes that base64 makes of these. */
const inBase64 = (bytes: number): number => 4 * Math.ceil(bytes / 3)

/** What a picture takes beside its bytes: its id and its type. */
const AROUND_PICTURE = 100
/** Values of a picture: an object and its three values, as `measureJson` counts them. */
const VALUES_OF_PICTURE = 4

type Written = {
  /** The JSON text of everything but the pictures, without its last brace. */
  head: string
  pictures: (StoredFile & { name: string })[]
}

/**
 * A draft as the text of its file, and which stored pictures belong into it, each in its largest size. Throws a 422 for
 * one with more content, or more or heavier pictures, than a file may have: it could not be read again.
 */
export const prepareQuizFile = async (db: Db, draft: Draft): Promise<Written> => {
  const { file, pictures } = fileOfDraft(draft)
  if (pictures.length > MAX_QUIZ_FILE_IMAGES)
    throw invalid(
      `Ce questionnaire a ${pictures.length} images : un fichier en contient ${MAX_QUIZ_FILE_IMAGES} au plus`,
    )
  const head = JSON.stringify(file).slice(0, -1)
  const bytes = Buffer.from(head)
  const measured = measureJson(bytes)
  const nb_values = measured.nb_values + (pictures.length + 1) * VALUES_OF_PICTURE
  const content_bytes = measured.content_bytes + (pictures.length + 1) * MIN_PICTURE_BYTES
  if (measured.excess || nb_values > MAX_FILE_VALUES || content_bytes > MAX_CONTENT_BYTES)
    throw invalid(
      'Ce questionnaire a trop de réponses et de liens avec les résultats pour tenir dans un fichier',
    )
  const stored = await largestFiles(
    db,
    pictures.map(({ image_id }) => image_id),
  )
  const sizes = stored.map((picture) => inBase64(picture.bytes) + AROUND_PICTURE)
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

/** The file in parts, one picture after another, as it is read. */
export async function* quizFileParts(db: Db, { head, pictures }: Written): AsyncGenerator<string> {
  yield `${head},"pictures":[`
  let separator = ''
  for (const { name: id, image_id, size } of pictures) {
    const data = await findFile(db, image_id, size)
    // Half a file must not pass for a whole one.
    if (!data) throw new Error(`The picture ${image_id} is gone`)
    yield separator + JSON.stringify({ id, type: 'image/webp', data: data.toString('base64') })
    separator = ','
  }
  yield ']}'
}
