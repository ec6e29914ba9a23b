import { readdirSync, readFileSync } from 'node:fs'

/** Returns the text of /proc/PID/status; empty if the process has ended. */
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
export const residentMemoryMb = (pid: number): number => fieldOf(pid, 'VmRSS') / 1_024

/** Returns the number of open file descriptors of a process. */
export const countFileDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** Returns the ids of a process and of all its descendants. */
export const listProcessTree = (pid: number): number[] => {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: fieldOf(Number(name), 'PPid') }))
  const tree = [pid]
  for (const member of tree)
    tree.push(...processes.filter(({ parent }) => parent === member).map((child) => child.pid))
  return tree
}

/** Sends a signal to each process. Processes that have already ended are ignored. */
export const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
      if (!isGone) throw error
    }
}
