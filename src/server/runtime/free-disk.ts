import { statfs } from 'node:fs/promises'

/** 'low': only what was begun is accepted. 'full': nothing that takes space is accepted. */
export type DiskState = 'enough' | 'low' | 'full'
/** Free space of the disk that holds the embedded database. */
export type FreeDisk = {
  /** Returns the state without waiting, at most CHECK_MS old while calls arrive. */
  state: () => DiskState
  /** Returns the free bytes; undefined before the first check and with a database on another machine. */
  free_bytes: () => number | undefined
}

type Space = { free_bytes: number; size_bytes: number }

/** Shares of the disk that stay free, and the bytes that are enough on a large disk. */
const LOW = { share: 0.1, bytes: 5_368_709_120 }
const FULL = { share: 0.02, bytes: 1_073_741_824 }
/** Milliseconds between two checks. */
const CHECK_MS = 1_000

/** Returns the state of a disk with this space. */
export const diskStateOf = ({ free_bytes, size_bytes }: Space): DiskState => {
  const isBelow = ({ share, bytes }: typeof LOW): boolean =>
    free_bytes < Math.min(share * size_bytes, bytes)
  if (isBelow(FULL)) return 'full'
  return isBelow(LOW) ? 'low' : 'enough'
}

const readSpace = async (folder: string): Promise<Space> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free_bytes: bavail * bsize, size_bytes: blocks * bsize }
}

/**
 * Watches the disk of a folder. Without a folder, as with DATABASE_URL, the disk of the database cannot be seen and
 * counts as large enough. A failed check keeps the last known state.
 */
export const watchFreeDisk = (
  folder: string | undefined,
  read: (folder: string) => Promise<Space> = readSpace,
  now: () => number = () => performance.now(),
): FreeDisk => {
  let space: Space | undefined
  let checked_at = Number.NEGATIVE_INFINITY
  const check = (): void => {
    if (folder === undefined || now() - checked_at < CHECK_MS) return
    checked_at = now()
    read(folder).then(
      (found) => {
        space = found
      },
      () => undefined,
    )
  }
  check()
  return {
    state: () => {
      check()
      return space ? diskStateOf(space) : 'enough'
    },
    free_bytes: () => space?.free_bytes,
  }
}
