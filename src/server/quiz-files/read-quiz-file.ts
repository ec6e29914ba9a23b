import { quizFile } from '#contract/quiz-file.ts'
import type { QuizFile } from '#domain/quiz-file.ts'
import { QUIZ_FILE_FORMAT, QUIZ_FILE_VERSION } from '#domain/quiz-file-format.ts'
import { MOST_SAVED_VALUES, shapeOf } from '#server/http/body.ts'
import { ApiError, invalid } from '#server/http/errors.ts'
import { parseShape } from '#server/http/mount.ts'
import { wrongKeyIn } from './repeated-keys.ts'

/** 400: what was sent is no JSON. */
const notAFile = (why: string): ApiError => new ApiError(400, 'bad_json', why)

const NOT_OURS = 'Ce fichier n’est pas un questionnaire exporté de Quizaine'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const readText = (bytes: Buffer): string => {
  if (bytes.length === 0) throw notAFile('Ce fichier est vide')
  const { is_too_deep, nb_values } = shapeOf(bytes)
  if (is_too_deep) throw notAFile(`${NOT_OURS} : il contient trop de niveaux`)
  if (nb_values > MOST_SAVED_VALUES) throw notAFile(`${NOT_OURS} : il contient trop de valeurs`)
  try {
    return utf8.decode(bytes)
  } catch {
    throw notAFile(`${NOT_OURS} : ce n’est pas du texte en UTF-8`)
  }
}

/** « (ligne 3) », where the engine ends with it; what it cites of the text comes before. */
const lineOf = (error: unknown): string => {
  const [, line] = /\(line (\d+) column \d+\)$/.exec(String(error)) ?? []
  return line === undefined ? '' : ` (ligne ${line})`
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notAFile(`${NOT_OURS} : ce n’est pas du JSON${lineOf(error)}`)
  }
}

/**
 * The quiz of a file as it was sent, checked but for its references. Throws a refusal in French: 400 for what is no
 * JSON, 422 with the path of the field for what is no quiz.
 */
export const readQuizFile = (bytes: Buffer): QuizFile => {
  const text = readText(bytes)
  const value = readJson(text)
  const wrongKey = wrongKeyIn(text)
  if (wrongKey !== undefined)
    throw invalid('Cette clé est en double, ou n’est pas permise', wrongKey)
  const { format, schema_version } = Object(value)
  if (format !== QUIZ_FILE_FORMAT) throw invalid(NOT_OURS, 'format')
  if (Number.isInteger(schema_version) && schema_version > QUIZ_FILE_VERSION)
    throw invalid(
      `Ce fichier vient d’une version plus récente de Quizaine (schéma ${schema_version}, celui d’ici est le ${QUIZ_FILE_VERSION}) : mettez cette installation à jour, puis réessayez`,
      'schema_version',
    )
  return parseShape(quizFile, value)
}
