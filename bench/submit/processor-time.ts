import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** The figures of a process (proc(5)) from its state on; none when it is gone. */
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

/** Seconds of processor time that a process used itself (Linux). */
export const ownSeconds = (pid: number): number => seconds(figuresOf(pid), 11, 13)

/** The same of the children that it has buried. */
export const buriedSeconds = (pid: number): number => seconds(figuresOf(pid), 13, 15)

/** The same of a process with all its children, living and buried. */
export const familySeconds = (pid: number): number => {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((child) => child > 0 && Number(figuresOf(child)[1]) === pid)
  const living = children.reduce((sum, child) => sum + ownSeconds(child), 0)
  return ownSeconds(pid) + buriedSeconds(pid) + living
}
