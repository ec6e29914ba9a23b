/** Ends a command with what went wrong in a line, and why when something else was the cause. */
export const fail = (error: unknown): never => {
  if (!(error instanceof Error)) throw error
  console.error(error.message)
  if (error.cause instanceof Error) console.error(error.cause.message)
  process.exit(1)
}
