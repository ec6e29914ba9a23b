import {
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { syncFolder } from '#server/secret-key.ts'
import { RefusedBackup } from './format.ts'
import { checkBackup } from './read-backup.ts'
import { refuseShort, sealed, unsealed } from './sealed-file.ts'

/** A third faster than the usual 6, for files a tenth larger. */
const GZIP_LEVEL = 4

type Options = { passphrase: string | undefined }

/**
 * Writes a backup under another name, reads it whole again, then gives it its name: what has that name
 * is on the disk, complete and readable. Gives its size; refuses a name that is taken.
 */
export const writeBackupFile = async (
  file: string,
  backup: AsyncIterable<Buffer>,
  { passphrase }: Options,
): Promise<number> => {
  if (existsSync(file)) throw new RefusedBackup(`${file} is there already: choose another name.`)
  if (passphrase) refuseShort(passphrase)
  const unfinished = `${file}.${process.pid}.unfinished`
  try {
    const zipped = createGzip({ level: GZIP_LEVEL })
    const output = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
    // Both have ended, well or badly, before anything is looked at or removed.
    const ends = await Promise.allSettled([
      pipeline(Readable.from(backup), zipped),
      pipeline(passphrase ? sealed(zipped, passphrase) : zipped, output),
    ])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    await checkBackup(readBackupFile(unfinished, { passphrase }))
    linkSync(unfinished, file)
  } finally {
    rmSync(unfinished, { force: true })
  }
  syncFolder(dirname(file))
  return statSync(file).size
}

/** What a file holds, unsealed and decompressed as it is read; throws RefusedBackup. */
export async function* readBackupFile(
  file: string,
  { passphrase }: Options,
): AsyncGenerator<Buffer> {
  const unzipped = createGunzip()
  const plain = unsealed(createReadStream(file, { highWaterMark: 256 * 1024 }), passphrase)
  // A failure destroys every stream with its reason, which reading the last one tells.
  pipeline(Readable.from(plain), unzipped).catch(() => undefined)
  yield* unzipped
}
