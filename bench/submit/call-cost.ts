/** Calls per second, and CPU microseconds per call by process. */
export type Cost = { per_second: number; micros: Record<string, number> }

/** Returns a function that measures calls per second and the CPU time of each process. */
export const createCostMeter =
  (readers: Record<string, () => number>, seconds: number) =>
  async (measure: () => Promise<number>): Promise<Cost> => {
    const read = () => Object.entries(readers).map(([name, own]) => [name, own()] as const)
    const earlier = new Map(read())
    const per_second = await measure()
    const micros = read().map(([name, later]) => [
      name,
      ((later - (earlier.get(name) ?? 0)) * 1e6) / (per_second * seconds),
    ])
    return { per_second, micros: Object.fromEntries(micros) }
  }

/** Returns a cost as text. */
export const formatCost = ({ per_second, micros }: Cost): string => {
  const each = Object.entries(micros).map(([name, figure]) => `${name} ${figure.toFixed(0)}`)
  return `${Math.round(per_second)}/s (µs each: ${each.join(', ')})`
}
