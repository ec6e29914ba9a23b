/** Error whose message tells the operator everything, in one line, so that no stack is printed. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** Returns true for an error of the operating system, such as ENOSPC or EACCES. Its message names the file or address. */
const isSystemError = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && 'code' in error

/** Prints why a process ends: one line if it says everything to the operator, otherwise the error with its stack. */
export const printFailure = (error: unknown): void =>
  console.error(error instanceof OperatorError || isSystemError(error) ? error.message : error)
