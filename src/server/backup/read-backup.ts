import { createHash } from 'node:crypto'
import type { z } from 'zod'
import {
  blockLine,
  createRowDigest,
  type Digest,
  endLine,
  type Header,
  headerLine,
  RefusedBackup,
  type Totals,
  tableEnd,
  tableLine,
} from './backup-format.ts'
import type { Table } from './catalogue.store.ts'

const NEW_LINE = 10
const MAX_LINE_BYTES = 1024 * 1024

/** Table of a backup. `end` returns the verified digest and may be called only after all blocks were read. */
export type ReadTable = Table & { blocks: AsyncGenerator<Buffer>; end: () => Digest }

/** Header of a backup, and its tables as a stream. */
export type Backup = {
  header: Header
  /** Tables in order. All blocks of a table must be read before the next table. */
  tables: AsyncGenerator<ReadTable>
  /** Returns the totals. Call it after the last table. */
  totals: () => Totals
  /** Returns a hash of all tables, without the time of the backup. Call it after the last table. */
  fingerprint: () => string
}

const damaged = (): RefusedBackup =>
  new RefusedBackup('The backup is damaged or incomplete. Nothing was restored.')

/**
 * Reads the header of a backup and returns its tables as a stream. All rows, counts and checksums are verified during
 * reading. Throws RefusedBackup.
 */
export const readBackup = async (source: AsyncIterable<Buffer>): Promise<Backup> => {
  const bytes = createReader(source)
  const read = async <S extends z.ZodType>(schema: S): Promise<z.output<S>> => {
    const { data, success } = schema.safeParse(parse(await bytes.line()))
    if (!success) throw damaged()
    return data
  }
  const first = parse(await bytes.line())
  const header = headerLine.safeParse(first)
  if (!header.success)
    throw new RefusedBackup(
      'The file is not a backup, or this version does not support its format.',
    )
  const totals: Totals = { tables: 0, rows: 0 }
  const contents = createHash('sha256')

  async function* blocksOf(end: (digest: Digest) => void): AsyncGenerator<Buffer> {
    const digest = createRowDigest()
    for (;;) {
      const next = await read(blockLine.or(tableEnd))
      if ('rows' in next) {
        const computed = digest.end()
        if (computed.rows !== next.rows || computed.sha256_sum !== next.sha256_sum) throw damaged()
        end(computed)
        return
      }
      const block = await bytes.exactly(next.bytes)
      if (block.at(-1) !== NEW_LINE) throw damaged()
      digest.add(block)
      yield block
    }
  }
  async function* readTables(): AsyncGenerator<ReadTable> {
    for (;;) {
      const before = bytes.sha256()
      const next = await read(tableLine.or(endLine))
      if ('sha256' in next) {
        const isComplete = next.tables === totals.tables && next.rows === totals.rows
        if (!isComplete || next.sha256 !== before || !(await bytes.isAtEnd())) throw damaged()
        return
      }
      let verified: Digest | undefined
      const blocks = blocksOf((digest) => {
        verified = digest
        totals.tables++
        totals.rows += digest.rows
        contents.update(JSON.stringify([next.table, digest]))
      })
      const end = (): Digest => {
        if (!verified) throw new Error(`The rows of ${next.table} were not read.`)
        return verified
      }
      yield { ...next, blocks, end }
    }
  }
  return {
    header: header.data,
    tables: readTables(),
    totals: () => totals,
    fingerprint: () => contents.copy().digest('hex'),
  }
}

/** Verifies a backup by reading it completely. Returns its totals. Throws if the file is damaged or no backup. */
export const checkBackup = async (source: AsyncIterable<Buffer>): Promise<Totals> => {
  const { tables, totals } = await readBackup(source)
  for await (const { blocks } of tables) for await (const _ of blocks);
  return totals()
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    throw damaged()
  }
}

/** Creates a reader of lines and byte blocks from chunks of any size. */
const createReader = (source: AsyncIterable<Buffer>) => {
  const pieces = source[Symbol.asyncIterator]()
  const sha256 = createHash('sha256')
  let rest: Buffer = Buffer.alloc(0)

  const readMore = async (): Promise<boolean> => {
    const { value, done } = await pieces.next().catch(asRefusal)
    if (done) return false
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
    return true
  }
  const take = (length: number): Buffer => {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    sha256.update(taken)
    return taken
  }
  return {
    line: async (): Promise<string> => {
      for (;;) {
        const end = rest.indexOf('\n')
        if (end >= 0) return take(end + 1).toString('utf8')
        if (rest.length > MAX_LINE_BYTES || !(await readMore())) throw damaged()
      }
    },
    exactly: async (length: number): Promise<Buffer> => {
      const parts: Buffer[] = []
      let missing = length
      while (missing > 0) {
        if (rest.length === 0 && !(await readMore())) throw damaged()
        const part = take(Math.min(missing, rest.length))
        parts.push(part)
        missing -= part.length
      }
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    },
    isAtEnd: async (): Promise<boolean> => rest.length === 0 && !(await readMore()),
    /** Returns the hash of everything read so far. */
    sha256: (): string => sha256.copy().digest('hex'),
  }
}

/** Turns decompression errors into RefusedBackup and rethrows others. */
const asRefusal = (error: unknown): never => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  throw code.startsWith('Z_') ? damaged() : error
}
