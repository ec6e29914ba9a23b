import { readdirSync, readFileSync } from 'node:fs'

/** Reads /proc/PID/status. */
const statusOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

const fieldOf = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(statusOf(pid))?.[1] ?? 0)

/** Returns the resident memory of a process in MB. */
export const residentMb = (pid: number): number => fieldOf(pid, 'VmRSS') / 1_024

/** Returns the number of open file descriptors of a process. */
export const nbHandles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** Returns a process and all its descendants. */
export const familyOf = (pid: number): number[] => {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: fieldOf(Number(name), 'PPid') }))
  const family = [pid]
  for (const member of family)
    family.push(...parents.filter(({ parent }) => parent === member).map((child) => child.pid))
  return family
}

/** Sends a signal to each process; ended processes are ignored. */
export const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
      if (!isGone) throw error
    }
}
