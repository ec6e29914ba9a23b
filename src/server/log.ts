import { type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from './config.ts'

/** What PostgreSQL adds to an error may quote a row: an address, an answer. */
const QUOTING = ['detail', 'where', 'parameters']
const PLACES = ['err', 'err.cause', 'err.cause.cause']
/** Lines that cannot be written wait for so long; then the newest are dropped. */
const LARGEST_BACKLOG = 1_048_576

/** Standard output. A disk that is full, or a reader that has gone, never ends the process. */
const openOutput = () => {
  const output = pino.destination({ fd: 1, sync: true, maxLength: LARGEST_BACKLOG })
  output.on('error', () => undefined)
  return output
}

/** One line of JSON for each event, in UTC, without what people wrote; on standard output unless `destination` is given. */
export const createLog = (
  { log_level }: Pick<Config, 'log_level'>,
  destination?: NodeJS.WritableStream,
): Logger =>
  pino(
    {
      level: log_level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: PLACES.flatMap((place) => QUOTING.map((name) => `${place}.${name}`)),
        remove: true,
      },
    },
    destination ?? openOutput(),
  )
