import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../imports.ts'

/** First words of the comment of a test file that changes its process: memory limits, timers, signals. */
const OWN_PROCESS = '// Runs in its own process'

/** Estimated speed of files that never ran here, in bytes of source per millisecond. */
const BYTES_PER_MS = 4

/** Milliseconds that a test file took at its last run, by path. */
export type Durations = Record<string, number>

/** Returns the expected duration of a test file: its last duration, or an estimate from its size. */
export const estimateMs = (file: string, durations: Durations): number =>
  durations[file] ?? statSync(join(ROOT, file)).size / BYTES_PER_MS

/**
 * Distributes test files to at most `most` processes of about the same duration, longest process first. A file that
 * asks for its own process gets one.
 */
export const groupFiles = (files: string[], durations: Durations, most: number): string[][] => {
  const isAlone = (file: string): boolean =>
    readFileSync(join(ROOT, file), 'utf8').includes(OWN_PROCESS)
  const sorted = files
    .map((file) => ({ file, ms: estimateMs(file, durations), is_alone: isAlone(file) }))
    .toSorted((left, right) => right.ms - left.ms || left.file.localeCompare(right.file))
  const shared = sorted.filter(({ is_alone }) => !is_alone)
  const groups = Array.from({ length: Math.min(most, shared.length) }, () => newGroup())
  for (const { file, ms } of shared) {
    const shortest = groups.reduce((least, group) => (group.ms < least.ms ? group : least))
    shortest.files.push(file)
    shortest.ms += ms
  }
  const alone = sorted
    .filter(({ is_alone }) => is_alone)
    .map(({ file, ms }) => ({ files: [file], ms }))
  return [...groups, ...alone]
    .toSorted((left, right) => right.ms - left.ms)
    .map((group) => group.files)
}

const newGroup = (): { files: string[]; ms: number } => ({ files: [], ms: 0 })
