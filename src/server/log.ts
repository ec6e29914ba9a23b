import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** Lines that cannot be written wait for so long; then the newest are dropped. */
const LARGEST_BACKLOG = 1_048_576

/** The log on standard output. A disk that is full, or a reader that has gone, never ends the process. */
export const createLog = ({ log_level }: Pick<Config, 'log_level'>): Logger => {
  const output = pino.destination({ fd: 1, sync: true, maxLength: LARGEST_BACKLOG })
  output.on('error', () => undefined)
  return pino({ level: log_level }, output)
}
