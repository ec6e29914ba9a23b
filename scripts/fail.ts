/** Prints the messages of an error and of its cause, and exits with code 1. */
export const fail = (error: unknown): never => {
  if (!(error instanceof Error)) throw error
  console.error(error.message)
  if (error.cause instanceof Error) console.error(error.cause.message)
  process.exit(1)
}
