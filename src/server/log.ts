import { type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from './config.ts'

/** What PostgreSQL adds to an error may quote a row: an address, an answer. */
const QUOTING = ['detail', 'where', 'parameters']
const PLACES = ['err', 'err.cause', 'err.cause.cause']

/** One line of JSON for each event, in UTC, without what people wrote; `destination` is standard output unless given. */
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
    destination ?? process.stdout,
  )
