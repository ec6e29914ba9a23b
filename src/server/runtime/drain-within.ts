/** Waits until all `work` under way has ended, well or not, but `ms` milliseconds at most. */
export const drainWithin = async (ms: number, ...work: unknown[]): Promise<void> => {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([Promise.allSettled(work), tooLong])
  clearTimeout(timer)
}
