import { type LogFn, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino'
import type { Config } from '#server/config/config.ts'

/** Fields of PostgreSQL errors that may quote a row, for example an email address or an answer. */
const QUOTING_FIELDS = ['detail', 'where', 'parameters']
const PLACES = ['err', 'err.cause', 'err.cause.cause']
/** Maximum bytes of lines that wait to be written; beyond it new lines are dropped. */
const MAX_BACKLOG_BYTES = 1_048_576

/** Maximum number of warnings and errors with one message that are logged in a second. */
const MAX_LINES_S = 10
/** Maximum number of messages that are counted; beyond it all counts restart. */
const MAX_MESSAGES = 1_000
const WARN = 40
const ERROR = 50

/**
 * Patterns of secrets in addresses: links of tests, mails, shared figures and downloads, codes and states of
 * sign-ins. The `link` of a mail that was written to a file is matched first and kept, because its operator reads it
 * there.
 */
const SECRETS = [
  /"link":"[^"]*"|([?&](?:test|token|token_hash|secret|code|state|\w+_token|code_verifier|numero)=)[^&#\s"'\\]+/gi,
  /"link":"[^"]*"|(\/(?:test|desinscription|statistiques|shared-statistics|rapport|attestation|ma-page|confirmation)\/)(?!:)[^/?&#\s"'\\]+/gi,
  /\b(bearer +)[^\s"'\\]+/gi,
  /\b(qz_)\w+/g,
]

/** Returns a text with « … » in place of secrets of addresses, tokens and API keys. */
export const maskSecrets = (text: string): string =>
  SECRETS.reduce(
    (masked, secret) =>
      masked.replace(secret, (found, before?: string) =>
        before === undefined ? found : `${before}…`,
      ),
    text,
  )

/**
 * Creates a counter of lines by message. The counter returns undefined for a line to leave out, otherwise the number
 * of lines left out in the previous second.
 */
const createLineLimit = () => {
  const messages = new Map<string, { began: number; count: number }>()
  return (message: string, now = performance.now()): number | undefined => {
    const known = messages.get(message)
    if (known && now - known.began < 1_000) return ++known.count > MAX_LINES_S ? undefined : 0
    if (messages.size >= MAX_MESSAGES) messages.clear()
    messages.set(message, { began: now, count: 1 })
    return Math.max(0, (known?.count ?? 0) - MAX_LINES_S)
  }
}

type Line = Parameters<LogFn>
const messageOf = ([fields, text]: Line): string => {
  if (typeof fields === 'string') return fields
  if (typeof text === 'string') return text
  return String((fields as { event?: unknown } | undefined)?.event ?? '')
}
const withFields = (line: Line, added: object): Line => {
  if (Object.keys(added).length === 0) return line
  const [fields, ...rest] = line
  if (typeof fields === 'string') return [added, ...line] as unknown as Line
  const known = fields instanceof Error ? { err: fields } : (fields as object)
  return [{ ...known, ...added }, ...rest] as unknown as Line
}

/** Receives the arguments of each logged error. Returns the id of its report, if there is one. */
type OnError = (line: readonly unknown[]) => string | undefined

/**
 * Creates a logging hook that limits warnings and errors, so that a flood of calls does not flood the log, and passes each
 * logged error to `onError`, whose result is the `report_id` of the line.
 */
const limitLines = (onError: OnError): NonNullable<LoggerOptions['hooks']>['logMethod'] => {
  const nbOmittedBefore = createLineLimit()
  return function (this: Logger, line, write, level) {
    const nb_omitted = level < WARN ? 0 : nbOmittedBefore(messageOf(line))
    if (nb_omitted === undefined) return
    const report_id = level < ERROR ? undefined : onError(line)
    const added = { ...(nb_omitted > 0 && { nb_omitted }), ...(report_id && { report_id }) }
    write.apply(this, withFields(line, added))
  }
}

/** Opens standard output so that a full disk or a closed pipe never ends the process. */
const openOutput = () => {
  const output = pino.destination({ fd: 1, sync: true, maxLength: MAX_BACKLOG_BYTES })
  output.on('error', () => undefined)
  return output
}

/**
 * Creates the log: one JSON line per event in UTC, on standard output unless `destination` is given. Lines contain no
 * user content and no secrets of addresses. Beyond ten warnings or errors of one message a second, the next line
 * tells how many were left out (`nb_omitted`). `onError` receives each logged error and returns its `report_id`.
 */
export const createLog = (
  { log_level }: Pick<Config, 'log_level'>,
  {
    destination,
    onError = () => undefined,
  }: { destination?: NodeJS.WritableStream; onError?: OnError } = {},
): Logger =>
  pino(
    {
      level: log_level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { logMethod: limitLines(onError), streamWrite: maskSecrets },
      redact: {
        paths: PLACES.flatMap((place) => QUOTING_FIELDS.map((name) => `${place}.${name}`)),
        remove: true,
      },
    },
    destination ?? openOutput(),
  )
