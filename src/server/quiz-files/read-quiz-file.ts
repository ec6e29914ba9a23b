import { quizFile } from '#contract/quiz-file.ts'
import type { QuizFile } from '#domain/quiz-file.ts'
import { QUIZ_FILE_FORMAT, QUIZ_FILE_VERSION } from '#domain/quiz-file-format.ts'
import { ApiError, invalid } from '#server/http/errors.ts'
import { parseShape } from '#server/http/mount.ts'
import { takeTurns } from '#server/runtime/take-turns.ts'
import { measureJson } from './measure-json.ts'
import { findWrongKey } from './repeated-keys.ts'

/** 400: what was sent is no JSON. */
const notAFile = (why: string): ApiError => new ApiError(400, 'bad_json', why)

const NOT_OURS = 'Ce fichier n’est pas un questionnaire exporté de Quizaine'

const EXCESSES = {
  depth: 'il contient trop de niveaux',
  values: 'il contient trop de valeurs',
  keys: 'il contient trop de clés',
  key: 'il contient une clé trop longue',
  content: 'il contient trop de texte',
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const readText = (bytes: Buffer): string => {
  if (bytes.length === 0) throw notAFile('Ce fichier est vide')
  const { excess } = measureJson(bytes)
  if (excess) throw notAFile(`${NOT_OURS} : ${EXCESSES[excess]}`)
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
 * Reads the quiz of a file in turns with other work, and checks it but for its references. Throws a refusal in French:
 * 400 for what is no JSON, 422 with the path of the field for what is no quiz.
 */
export const readQuizFile = async (bytes: Buffer): Promise<QuizFile> => {
  const pause = takeTurns()
  const text = readText(bytes)
  await pause()
  const value = readJson(text)
  await pause()
  const wrongKey = await findWrongKey(text, pause)
  await pause()
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
