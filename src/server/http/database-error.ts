import type { ApiError } from './errors.ts'

type Factories = {
  invalid: (message: string) => ApiError
  conflict: (code: string, message: string) => ApiError
  unavailable: (seconds?: number) => ApiError
}

/** Text, numbers or shapes that PostgreSQL cannot keep; the schemas refuse them first. */
const WRONG_DATA = new Set(['22021', '22P02', '22P05', '22003', '23514', '54001'])
/** Resources, shutdown, lock and statement time-outs, serialization: all pass. */
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

const codeOf = (error: object): string =>
  'code' in error && typeof error.code === 'string' ? error.code : ''

/** True when two transactions met and one was chosen to try again. */
export const isCollision = (error: unknown): boolean =>
  error instanceof Error && ['40001', '40P01'].includes(codeOf(error))

/** True when a statement took longer than it may. */
export const isTimeOut = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '57014'

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

/** What a failure of the database means to a caller; undefined when it is no such failure. */
export const databaseError = (error: unknown, factories: Factories): ApiError | undefined => {
  if (!(error instanceof Error)) return undefined
  if (isDatabaseAway(error)) return factories.unavailable()
  const code = codeOf(error)
  if (WRONG_DATA.has(code)) return factories.invalid('La valeur ne peut pas être enregistrée')
  if (code === '23505') return factories.conflict('conflict', 'Cet élément existe déjà')
  if (code === '23503') return factories.conflict('conflict', "Cet élément n'existe plus")
  return undefined
}
