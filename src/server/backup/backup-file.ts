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
import { normalizeText } from '#domain/common/normalize-text.ts'
import type { Config } from '#server/config/config.ts'
import { deriveKey } from '#server/runtime/sealing.ts'
import { findSecretKey, syncFolder } from '#server/runtime/secret-key.ts'
import { RefusedBackup } from './backup-format.ts'
import { checkBackup } from './read-backup.ts'

/** First line of an encrypted file, with the version of the encryption format. */
const MAGIC = Buffer.from('quizaine-sealed 1\n')
const SALT_BYTES = 16
const TAG_BYTES = 16
const PIECE_BYTES = 64 * 1024
/** Parameters recommended by OWASP. One guess of a passphrase needs 128 MiB and half a second. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }
const MIN_PASSPHRASE_LENGTH = 12

const scryptAsync = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt)
const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  scryptAsync(normalizeText(passphrase), salt, 32, SCRYPT)

/**
 * Returns the nonce of a piece: its number and a flag for the last piece, so that a truncated file is detected. A nonce
 * never repeats under one key, because each file has its own key.
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

/** Yields the encrypted stream (AES-256-GCM). The key is derived from the passphrase by scrypt. */
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

/**
 * Yields the decrypted content of a file, or an unencrypted file unchanged. Throws RefusedBackup if the passphrase is
 * wrong, missing or unnecessary, or if the file was changed.
 */
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
  const isEncrypted = start.subarray(0, MAGIC.length).equals(MAGIC)
  if (!isEncrypted) {
    if (passphrase)
      throw new RefusedBackup('The backup is not encrypted: unset BACKUP_PASSPHRASE to restore it.')
    yield start
    yield* rest
    return
  }
  if (!passphrase) throw new RefusedBackup('The backup is encrypted: set BACKUP_PASSPHRASE.')
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
        ? 'BACKUP_PASSPHRASE is wrong, or the backup is damaged.'
        : 'The backup is damaged or incomplete. Nothing was restored.',
    )
  }
}

/** Returns an identifier from which SECRET_KEY cannot be derived; null if there is no key. */
export const secretKeyId = (config: Pick<Config, 'secret_key' | 'data_dir'>): string | null => {
  const key = findSecretKey(config)
  if (!key) return null
  const derived = deriveKey(key, 'id of the secret key in backups')
  return createHash('sha256').update(derived).digest('hex').slice(0, 16)
}

/** Compression level. Compared with the default 6, it needs a third less time for a file a tenth larger. */
const GZIP_LEVEL = 4

type Options = { passphrase: string | undefined }

/**
 * Writes a backup to a temporary file, verifies the file by reading it, and renames it. A file with the final name is
 * therefore complete. Returns the size in bytes; throws if the name exists.
 */
export const writeBackupFile = async (
  file: string,
  backup: AsyncIterable<Buffer>,
  { passphrase }: Options,
): Promise<number> => {
  if (existsSync(file)) throw new RefusedBackup(`${file} already exists: choose another name.`)
  if (passphrase) checkPassphrase(passphrase)
  const unfinished = `${file}.${process.pid}.unfinished`
  try {
    const zipped = createGzip({ level: GZIP_LEVEL })
    const output = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
    // Both pipelines must end before the file is verified or removed.
    const outcomes = await Promise.allSettled([
      pipeline(Readable.from(backup), zipped),
      pipeline(passphrase ? encrypt(zipped, passphrase) : zipped, output),
    ])
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
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
  // A failure destroys all streams of the pipeline, so that reading `unzipped` throws the error.
  pipeline(Readable.from(plain), unzipped).catch(() => undefined)
  yield* unzipped
}
