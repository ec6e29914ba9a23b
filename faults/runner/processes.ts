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

const listProcesses = (): number[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))

/** Returns the ids of all processes that have an environment variable with this value (`NAME=value`). */
export const listProcessesWith = (variable: string): number[] =>
  listProcesses().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable)
    } catch {
      // The process has ended.
      return false
    }
  })

/** Returns the ids of a process and of all its descendants. */
export const listProcessTree = (pid: number): number[] => {
  const processes = listProcesses().map((pid) => ({ pid, parent: fieldOf(pid, 'PPid') }))
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
