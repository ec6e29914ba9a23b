import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Returns the fields of /proc/PID/stat from the third field (state); empty if the process has ended (proc(5)). */
const figuresOf = (pid: number): string[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
const seconds = (figures: string[], from: number, to: number): number =>
  figures.slice(from, to).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND

/** Returns the CPU seconds of a process without its children (Linux). */
export const processCpuSeconds = (pid: number): number => seconds(figuresOf(pid), 11, 13)

/** Returns the CPU seconds of the children of a process that have already ended. */
export const endedChildrenCpuSeconds = (pid: number): number => seconds(figuresOf(pid), 13, 15)

/** Returns the CPU seconds of a process and of all its children. */
export const processTreeCpuSeconds = (pid: number): number => {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((child) => child > 0 && Number(figuresOf(child)[1]) === pid)
  const living = children.reduce((sum, child) => sum + processCpuSeconds(child), 0)
  return processCpuSeconds(pid) + endedChildrenCpuSeconds(pid) + living
}
