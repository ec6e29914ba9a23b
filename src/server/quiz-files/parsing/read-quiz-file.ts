import { quizFile } from '#contract/quiz-files.ts'
import { sizeError } from '#domain/questionnaire/questionnaire-size.ts'
import { QUIZ_FILE_FORMAT, QUIZ_FILE_VERSION, type QuizFile } from '#domain/quiz-files/quiz-file.ts'
import { ApiError, invalid } from '#server/http/edge/errors.ts'
import { PROTOTYPE_KEYS } from '#server/http/edge/request-body.ts'
import { parseShape } from '#server/http/edge/validation.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import { measureJson } from './measure-json.ts'

/** Open object or list during the scan: the keys seen so far (objects only), and the current key or index. */
type Level = { keys: Set<string> | undefined; at: string | number }

/** Returns the index after the closing quote of the string that begins at `start`. */
const endOfText = (json: string, start: number): number => {
  for (let quote = json.indexOf('"', start + 1); ; quote = json.indexOf('"', quote + 1)) {
    let nb_escapes = 0
    while (json[quote - 1 - nb_escapes] === '\\') nb_escapes++
    if (nb_escapes % 2 === 0) return quote + 1
  }
}

/** Number of keys to read before yielding to the event loop. */
const KEYS_PER_TURN = 1_000

/**
 * Returns the path of the first duplicate or forbidden key; undefined if there is none. Duplicate keys are
 * refused because JSON parsers disagree about them. `json` must be valid JSON.
 */
export const findInvalidKey = async (
  json: string,
  pause: () => Promise<void>,
): Promise<string | undefined> => {
  let nb_keys = 0
  const levels: Level[] = []
  let awaitsKey = false
  for (let index = 0; index < json.length; index++) {
    const level = levels.at(-1)
    switch (json[index]) {
      case '{':
        levels.push({ keys: new Set(), at: '' })
        awaitsKey = true
        break
      case '[':
        levels.push({ keys: undefined, at: 0 })
        awaitsKey = false
        break
      case '}':
      case ']':
        levels.pop()
        awaitsKey = false
        break
      case ',':
        if (level && typeof level.at === 'number') level.at++
        awaitsKey = level?.keys !== undefined
        break
      case '"': {
        const end = endOfText(json, index)
        if (awaitsKey && level?.keys) {
          const key: string = JSON.parse(json.slice(index, end))
          level.at = key
          if (level.keys.has(key) || PROTOTYPE_KEYS.includes(key))
            return levels.map(({ at }) => at).join('.')
          level.keys.add(key)
          if (++nb_keys % KEYS_PER_TURN === 0) await pause()
          awaitsKey = false
        }
        index = end - 1
      }
    }
  }
  return undefined
}

/** Creates a 400 error for a file that is not valid JSON. */
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
  const notUtf8 = notAFile(`${NOT_OURS} : ce n’est pas du texte en UTF-8`)
  // JSON has no NUL, which every letter of ASCII has in UTF-16.
  if (bytes.includes(0)) throw notUtf8
  try {
    return utf8.decode(bytes)
  } catch {
    throw notUtf8
  }
}

/**
 * Returns the line number of a JSON error as « (ligne 3) », or an empty string. The rest of the engine's
 * message is dropped because it quotes the file.
 */
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
 * Parses a quiz file and validates its shape and size, but not its references, and yields to the event loop between
 * steps. Throws a French error: 400 for invalid JSON, 422 with the path of the wrong field, or if it is too large.
 */
export const readQuizFile = async (bytes: Buffer): Promise<QuizFile> => {
  const pause = yieldToEventLoop()
  const text = readText(bytes)
  await pause()
  const value = readJson(text)
  await pause()
  const wrongKey = await findInvalidKey(text, pause)
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
  const file = parseShape(quizFile, value)
  const tooLarge = sizeError(file)
  if (tooLarge) throw invalid(tooLarge)
  return file
}
