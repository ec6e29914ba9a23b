import { MAX_QUIZ_FILE_BYTES } from '#domain/quiz-files/quiz-file.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { findFile, largestFiles, type StoredFile } from '#server/images/images.store.ts'
import type { QuizHead } from '#server/version-tasks/write-quiz-head.ts'

/** Returns the length in base64 of this many bytes. */
const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3)

/** Size in bytes of the JSON around the data of a picture. */
const PICTURE_OVERHEAD_BYTES = 100

type PreparedFile = Pick<QuizHead, 'head'> & { pictures: (StoredFile & { name: string })[] }

/**
 * Lists the pictures of a file in their largest size. Throws a 422 if the file would be too large, because it could not
 * be imported again.
 */
export const prepareQuizFile = async (
  db: Db,
  { head, bytes, pictures }: QuizHead,
): Promise<PreparedFile> => {
  const stored = await largestFiles(
    db,
    pictures.map(({ image_id }) => image_id),
  )
  const sizes = stored.map((picture) => base64Length(picture.bytes) + PICTURE_OVERHEAD_BYTES)
  const total = sizes.reduce((sum, size) => sum + size, bytes)
  if (total > MAX_QUIZ_FILE_BYTES)
    throw invalid(
      `Les images de ce questionnaire sont trop lourdes : un fichier a ${MAX_QUIZ_FILE_BYTES / 1_048_576} Mo au plus`,
    )
  const names = new Map(pictures.map(({ id, image_id }) => [image_id, id]))
  return {
    head,
    pictures: stored.map((image) => ({
      ...image,
      name: names.get(image.image_id) ?? image.image_id,
    })),
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
