import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto'
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
import { promisify } from 'node:util'
import { createGunzip, createGzip } from 'node:zlib'
import type { Config } from '#server/config/config.ts'
import { deriveKey } from '#server/runtime/sealing.ts'
import { findSecretKey, syncFolder } from '#server/runtime/secret-key.ts'
import { RefusedBackup } from './backup-format.ts'
import { checkBackup } from './read-backup.ts'

/** First line of an encrypted file, whose version determines the format. */
const MAGIC = Buffer.from('quizaine-sealed 1\n')
const SALT_BYTES = 16
const TAG_BYTES = 16
const PIECE_BYTES = 64 * 1024
/** Parameters recommended by OWASP: 128 MiB and half a second for one guess of a passphrase. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }
const MIN_PASSPHRASE_LENGTH = 12

const scryptAsync = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt)
const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  scryptAsync(passphrase.normalize('NFC'), salt, 32, SCRYPT)

/**
 * Returns the nonce of a piece: its number and whether it is the last one, so that a cut file is detected. Each file
 * has its own key, so numbers never repeat.
 */
const nonceOf = (piece: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(piece, 4, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Splits a stream into pieces of `size` bytes. Marks the last piece, which may be shorter. */
async function* splitIntoPieces(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  let parts: Buffer[] = []
  let buffered_bytes = 0
  for await (const bytes of source) {
    parts.push(bytes)
    buffered_bytes += bytes.length
    if (buffered_bytes <= size) continue
    let all = Buffer.concat(parts)
    for (; all.length > size; all = all.subarray(size))
      yield { piece: all.subarray(0, size), isLast: false }
    parts = [all]
    buffered_bytes = all.length
  }
  yield { piece: Buffer.concat(parts), isLast: true }
}

/** Throws if a passphrase is too short. */
const checkPassphrase = (passphrase: string): void => {
  if (passphrase.length < MIN_PASSPHRASE_LENGTH)
    throw new RefusedBackup(
      `BACKUP_PASSPHRASE: must have ${MIN_PASSPHRASE_LENGTH} characters or more`,
    )
}

/** Encrypts with a passphrase (scrypt, AES-256-GCM). */
async function* encrypt(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const key = await keyOf(passphrase, salt)
  const head = Buffer.concat([MAGIC, salt])
  yield head
  let number = 0
  for await (const { piece, isLast } of splitIntoPieces(source, PIECE_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++, isLast)).setAAD(head)
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
}

/** Decrypts a file, or yields it unchanged if it is not encrypted. Throws for a wrong passphrase or any change. */
async function* decrypt(
  source: AsyncIterable<Buffer>,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]()
  const headBytes = MAGIC.length + SALT_BYTES
  let start = Buffer.alloc(0)
  while (start.length < headBytes) {
    const { value, done } = await pieces.next()
    if (done) break
    start = Buffer.concat([start, value])
  }
  const rest = { [Symbol.asyncIterator]: () => pieces }
  const isSealed = start.subarray(0, MAGIC.length).equals(MAGIC)
  if (!isSealed) {
    if (passphrase)
      throw new RefusedBackup('The backup is not sealed: unset BACKUP_PASSPHRASE to restore it.')
    yield start
    yield* rest
    return
  }
  if (!passphrase) throw new RefusedBackup('The backup is sealed: set BACKUP_PASSPHRASE.')
  const head = start.subarray(0, headBytes)
  const key = await keyOf(passphrase, head.subarray(MAGIC.length))
  let number = 0
  for await (const { piece, isLast } of splitIntoPieces(
    prepend(start.subarray(headBytes), rest),
    PIECE_BYTES + TAG_BYTES,
  ))
    yield decryptPiece(piece, { key, head, number: number++, isLast })
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

type PiecePosition = { key: Buffer; head: Buffer; number: number; isLast: boolean }

const decryptPiece = (piece: Buffer, { key, head, number, isLast }: PiecePosition): Buffer => {
  try {
    const end = piece.length - TAG_BYTES
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast))
      .setAAD(head)
      .setAuthTag(piece.subarray(end))
    return Buffer.concat([decipher.update(piece.subarray(0, end)), decipher.final()])
  } catch {
    throw new RefusedBackup(
      number === 0
        ? 'BACKUP_PASSPHRASE is not the one that this backup was sealed with, or the file is damaged.'
        : 'The backup is damaged or cut short: nothing of it was restored.',
    )
  }
}

/** Returns an identifier of the SECRET_KEY that reveals nothing of it; null if there is no key. */
export const secretKeyId = (config: Pick<Config, 'secret_key' | 'data_dir'>): string | null => {
  const key = findSecretKey(config)
  if (!key) return null
  const derived = deriveKey(key, 'id of the secret key in backups')
  return createHash('sha256').update(derived).digest('hex').slice(0, 16)
}

/** Compression level that is a third faster than the default 6 for files a tenth larger. */
const GZIP_LEVEL = 4

type Options = { passphrase: string | undefined }

/**
 * Writes a backup under another name, verifies it by reading it, and renames it, so that the final name proves a
 * complete file. Returns its size. Throws if the name exists.
 */
export const writeBackupFile = async (
  file: string,
  backup: AsyncIterable<Buffer>,
  { passphrase }: Options,
): Promise<number> => {
  if (existsSync(file)) throw new RefusedBackup(`${file} is there already: choose another name.`)
  if (passphrase) checkPassphrase(passphrase)
  const unfinished = `${file}.${process.pid}.unfinished`
  try {
    const zipped = createGzip({ level: GZIP_LEVEL })
    const output = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
    // Both pipelines must end before the file is verified or removed.
    const ends = await Promise.allSettled([
      pipeline(Readable.from(backup), zipped),
      pipeline(passphrase ? encrypt(zipped, passphrase) : zipped, output),
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

/** Yields the decrypted and decompressed content of a file. Throws RefusedBackup. */
export async function* readBackupFile(
  file: string,
  { passphrase }: Options,
): AsyncGenerator<Buffer> {
  const unzipped = createGunzip()
  const plain = decrypt(createReadStream(file, { highWaterMark: 256 * 1024 }), passphrase)
  // A failure destroys every stream, so reading the last one reports it.
  pipeline(Readable.from(plain), unzipped).catch(() => undefined)
  yield* unzipped
}
