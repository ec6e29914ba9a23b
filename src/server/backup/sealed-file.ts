import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { RefusedBackup } from './format.ts'

/** Begins a sealed file; its version settles everything below. */
const MAGIC = Buffer.from('quizaine-sealed 1\n')
const SALT_BYTES = 16
const TAG_BYTES = 16
const PIECE_BYTES = 64 * 1024
/** OWASP's first choice: 128 MiB and about half a second for one try at a passphrase. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }
const SHORTEST_PASSPHRASE = 12

const scryptAsync = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt)
const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  scryptAsync(passphrase.normalize('NFC'), salt, 32, SCRYPT)

/** The key is a file's own, so a piece's number serves once; the last one says so: none can be cut off. */
const nonceOf = (piece: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(piece, 4, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Pieces of one size, the last of them shorter, and told to be the last. */
async function* inPieces(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  let parts: Buffer[] = []
  let gathered = 0
  for await (const bytes of source) {
    parts.push(bytes)
    gathered += bytes.length
    if (gathered <= size) continue
    let all = Buffer.concat(parts)
    for (; all.length > size; all = all.subarray(size))
      yield { piece: all.subarray(0, size), isLast: false }
    parts = [all]
    gathered = all.length
  }
  yield { piece: Buffer.concat(parts), isLast: true }
}

/** Refuses a passphrase that is guessed too soon. */
export const refuseShort = (passphrase: string): void => {
  if (passphrase.length < SHORTEST_PASSPHRASE)
    throw new RefusedBackup(
      `BACKUP_PASSPHRASE: must have ${SHORTEST_PASSPHRASE} characters or more`,
    )
}

/** Encrypts under a passphrase (scrypt, AES-256-GCM). */
export async function* sealed(
  source: AsyncIterable<Buffer>,
  passphrase: string,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const key = await keyOf(passphrase, salt)
  const head = Buffer.concat([MAGIC, salt])
  yield head
  let number = 0
  for await (const { piece, isLast } of inPieces(source, PIECE_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++, isLast)).setAAD(head)
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
}

/** What was sealed, or the file as it is when nothing was; a wrong passphrase and any change are refused. */
export async function* unsealed(
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
  for await (const { piece, isLast } of inPieces(
    following(start.subarray(headBytes), rest),
    PIECE_BYTES + TAG_BYTES,
  ))
    yield open(piece, { key, head, number: number++, isLast })
}

async function* following(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

type Place = { key: Buffer; head: Buffer; number: number; isLast: boolean }

const open = (piece: Buffer, { key, head, number, isLast }: Place): Buffer => {
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
