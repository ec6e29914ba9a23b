/** Place in the code that an error passed through. */
export type Frame = { file: string; function: string | null; line: number; column: number }

/** An error without anything that a person has typed or that identifies a person. */
export type DescribedError = {
  /** Where it happened: in this process, or in a creator's browser. */
  where: 'server' | 'browser'
  /** Class of the error, such as `TypeError`. */
  type: string
  /** Code of the system, of Node or of PostgreSQL, such as `ECONNREFUSED` or `23505`. */
  code: string | null
  /** Sentence of the log line, which is part of our code. */
  text: string
  /** Path of the screen without ids; null on the server. */
  screen: string | null
  /** Script of the browser's release; null on the server. */
  script: string | null
  /** Frames of the stack, innermost first. */
  frames: Frame[]
}

/** Maximum number of frames of a described error. */
const MAX_FRAMES = 30
/** Maximum characters of a stack that are read. */
const MAX_STACK_LENGTH = 10_000
const FRAME =
  /^ {4}at (?:(?:async )?(?:new )?([\w$.#<>[\] ]{1,120}) \()?(\S{1,400}):(\d{1,7}):(\d{1,7})\)?$/
const CLASS_NAME = /^[A-Z]\w{0,50}(?:Error|Exception)$/
const CODE = /^[A-Z0-9_]{2,40}$/
const POSITION = /^([\w-]{1,100}\.js):(\d{1,7}):(\d{1,7})$/
/** Position in our sources or in a package, as source maps name it. */
const SOURCE = /^((?:src|node_modules)\/[\w@./+-]{1,200}):(\d{1,7}):(\d{1,7})$/

/** Folders whose modules are named in reports. Packages come first, because some have a folder src. */
const ROOTS = ['/node_modules/', '/src/', '/scripts/']

/** Returns the path of a module below the project or one of its packages; undefined if it is elsewhere. */
const readModulePath = (address: string): string | undefined => {
  if (address.startsWith('node:')) return address
  const path = `/${address.replace(/^file:\/\//, '')}`
  const root = ROOTS.find((folder) => path.includes(folder))
  const below = root === undefined ? '' : path.slice(path.lastIndexOf(root) + 1)
  return /^[\w@./-]+$/.test(below) ? below : undefined
}

/**
 * Returns the frames of a stack, innermost first. The message at the head of the stack is skipped, because it may quote a
 * row or an answer. Frames of modules outside the project are left out.
 */
const readFrames = ({ stack = '', message }: Pick<Error, 'stack' | 'message'>): Frame[] => {
  const place = stack.indexOf(message)
  const begin = place < 0 ? 0 : place + message.length
  return stack
    .slice(begin, begin + MAX_STACK_LENGTH)
    .split('\n')
    .flatMap((text): Frame[] => {
      const [, name, address = '', line, column] = FRAME.exec(text) ?? []
      const file = readModulePath(address)
      if (file === undefined) return []
      return [{ file, function: name ?? null, line: Number(line), column: Number(column) }]
    })
    .slice(0, MAX_FRAMES)
}

const readCode = (error: Error): string | null => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && CODE.test(code) ? code : null
}

/** Fields of the log line about a screen that crashed (src/server/crashes). */
type CrashFields = {
  event?: unknown
  name?: unknown
  screen?: unknown
  position?: unknown
  source?: unknown
  release?: unknown
}

const describeCrash = (
  { name, screen, position, source, release }: CrashFields,
  text: string,
): DescribedError => {
  const found = SOURCE.exec(String(source)) ?? POSITION.exec(String(position))
  const [, file, line, column] = found ?? []
  return {
    where: 'browser',
    type: CLASS_NAME.test(String(name)) ? String(name) : 'Error',
    code: null,
    text,
    screen: String(screen),
    script: String(release),
    frames: file ? [{ file, function: null, line: Number(line), column: Number(column) }] : [],
  }
}

/**
 * Describes the arguments of a call of the log: fields or an error, and a sentence. Messages of errors and other fields
 * are left out, because they may quote names, addresses or replies.
 */
export const describeError = (line: readonly unknown[]): DescribedError => {
  const [first, second] = line
  const fields = (typeof first === 'object' && first !== null ? first : {}) as CrashFields & {
    err?: unknown
  }
  const text = [first, second].find((part) => typeof part === 'string') ?? ''
  if (fields.event === 'screen_crashed') return describeCrash(fields, text)
  const error = [first, fields.err].find((value) => value instanceof Error)
  return {
    where: 'server',
    type: error && CLASS_NAME.test(error.name) ? error.name : 'Error',
    code: error ? readCode(error) : null,
    text,
    screen: null,
    script: null,
    frames: error ? readFrames(error) : [],
  }
}
