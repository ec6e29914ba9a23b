import { setTimeout } from 'node:timers/promises'

/** Temporary: resources, shutdown, lock and statement time-outs, serialization. */
const PASSING = new Set([
  '53100',
  '53200',
  '53300',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '55P03',
  '40001',
  '40P01',
  '25P03',
])
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  // No descriptor is left for a connection.
  'EMFILE',
  'ENFILE',
])
const CLIENT_SIDE =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Cannot use a pool after|Client has encountered a connection error)/

/** What the database or the network calls a failure; empty when neither has named it. */
export const codeOf = (error: object): string =>
  'code' in error && typeof error.code === 'string' ? error.code : ''

/** True when a transaction was rolled back because it collided with another (deadlock, serialization). */
export const isCollision = (error: unknown): boolean =>
  error instanceof Error && ['40001', '40P01'].includes(codeOf(error))

const TRIES = 3
const LONGEST_PAUSE_MS = 40

/**
 * Runs `work` again when its transaction collided with another and was rolled back by the database. The
 * third collision is thrown.
 */
export const withRetries = async <T>(work: () => Promise<T>, tries = TRIES): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (tries <= 1 || !isCollision(error)) throw error
  }
  // A random pause, so that the same transactions do not collide again.
  await setTimeout(Math.random() * LONGEST_PAUSE_MS)
  return withRetries(work, tries - 1)
}

/** True when a statement took longer than it may. */
export const isTimeOut = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '57014'

/** True when a statement names a time zone that PostgreSQL does not know. */
export const isUnknownTimeZone = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '22023'

/** True when the database did not answer at all. */
export const isDatabaseSilent = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return (
    code.startsWith('08') ||
    (NETWORK.has(code) && 'syscall' in error) ||
    CLIENT_SIDE.test(error.message)
  )
}

/** True when the database itself is away, full or too slow, so that trying again makes sense. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error && (PASSING.has(codeOf(error)) || isDatabaseSilent(error))
