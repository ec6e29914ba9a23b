import { quizFile } from '#contract/quiz-files.ts'
import {
  type FilePicture,
  QUIZ_FILE_FORMAT,
  QUIZ_FILE_VERSION,
  type QuizFile,
} from '#domain/quiz-files/quiz-file.ts'
import type { Db } from '#server/db/database.ts'
import { ApiError, invalid } from '#server/http/edge/errors.ts'
import { parseShape } from '#server/http/edge/mount.ts'
import { PROTOTYPE_KEYS } from '#server/http/edge/request-body.ts'
import { imageQuotaExceeded } from '#server/images/creator-images.ts'
import { imageKindOf } from '#server/images/image-kind.ts'
import { bytesOf, usedBytes } from '#server/images/images.store.ts'
import { makeImage, type NewImage } from '#server/images/make-image.ts'
import type { Turn } from '#server/runtime/concurrency-limit.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import { measureJson } from './measure-json.ts'

/** An object or list that the reading is in: the keys it had, or how many values; and the one it is at. */
type Level = { keys: Set<string> | undefined; at: string | number }

/** Where the text that begins at this quote ends: behind its closing quote. */
const endOfText = (json: string, start: number): number => {
  for (let quote = json.indexOf('"', start + 1); ; quote = json.indexOf('"', quote + 1)) {
    let nb_escapes = 0
    while (json[quote - 1 - nb_escapes] === '\\') nb_escapes++
    if (nb_escapes % 2 === 0) return quote + 1
  }
}

/** Keys that are read before other work gets its turn. */
const KEYS_PER_TURN = 1_000

/**
 * Returns the path of the first key that an object has twice, or that none may have; undefined if there is none. The text
 * is JSON that was parsed before. `pause` is awaited between its parts. Readers differ in which of two equal keys they take.
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

type Making = {
  creator_id: string
  /** Bytes that the pictures of the creator may take. */
  quota: number
  /** The ids of those that are shown; others are left aside. */
  shown: ReadonlySet<string>
  /** Aborted once the call was answered or its connection is closed. */
  signal: AbortSignal
  /** Throws when too little of the call's time is left. */
  refuseTooLate: () => void
}

/**
 * Decodes the pictures of a file as if each had been uploaded, and stores nothing. Returns them by their ids in the file.
 * Throws a 422 with the path of the first that is not a picture, a 422 beyond the quota, the error of `refuseTooLate`, and
 * the reason of `signal` once it is aborted.
 */
export const decodePictures = async (
  db: Db,
  { pictures }: QuizFile,
  { creator_id, quota, shown, signal, refuseTooLate }: Making,
): Promise<Map<string, NewImage>> => {
  const made = new Map<string, NewImage>()
  if (shown.size === 0) return made
  let used = await usedBytes(db, creator_id)
  for (const [index, picture] of pictures.entries()) {
    if (!shown.has(picture.id)) continue
    refuseTooLate()
    const turn = { key: creator_id, signal }
    const image = await makeOne(picture, { path: `pictures.${index}`, turn })
    used += bytesOf(image)
    // Rather than after all the others were decoded.
    if (used > quota) throw imageQuotaExceeded(quota)
    made.set(picture.id, image)
  }
  return made
}

const makeOne = async (
  { type, data }: FilePicture,
  { path, turn }: { path: string; turn: Turn },
): Promise<NewImage> => {
  turn.signal?.throwIfAborted()
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') !== data)
    throw invalid('Cette image n’est pas écrite en base64', `${path}.data`)
  const kind = imageKindOf(bytes)
  if (kind !== undefined && kind !== type)
    throw invalid(`Cette image n’est pas du type annoncé, mais ${kind}`, `${path}.type`)
  try {
    return await makeImage(bytes, turn)
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 422
    throw isRefused ? invalid(error.message, `${path}.data`) : error
  }
}

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
  return parseShape(quizFile, value)
}
