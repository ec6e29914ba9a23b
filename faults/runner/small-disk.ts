import { spawnSync } from 'node:child_process'
import { closeSync, openSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Small disks in memory (tmpfs), which a scenario fills. Mounting needs root. */

/** Mounts an empty disk of `size_mb` on a folder. */
export const mountSmallDisk = (folder: string, size_mb: number): void => {
  const options = `size=${size_mb}m,mode=755`
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Mounting a test disk needs root: ${stderr.trim()}`)
}

/** Unmounts a disk, even if programs still use it. */
export const unmountDisk = (folder: string): void => {
  spawnSync('umount', ['-l', folder])
}

/** Creates a file that fills the disk of a folder, and returns its path. */
export const fillDisk = (folder: string): string => {
  const path = join(folder, 'ballast')
  const { bavail, bsize } = statfsSync(folder)
  spawnSync('fallocate', ['-l', String(bavail * bsize), path])
  const file = openSync(path, 'a')
  try {
    for (;;) writeFileSync(file, Buffer.alloc(4_096))
  } catch {
    // Writing fails when the disk is full.
  } finally {
    closeSync(file)
  }
  return path
}
