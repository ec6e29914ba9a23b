import { crc32 } from 'node:zlib'
import type { CompressedPage, EncodedBody } from './html-page.ts'

/** Maximum number of bytes in one stored block of deflate and of brotli. */
const MAX_BLOCK_BYTES = 65_535

/** Returns the bytes in blocks of the maximum size; at least one block, which may be empty. */
const blocksOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.max(1, Math.ceil(bytes.length / MAX_BLOCK_BYTES)) }, (_, rank) =>
    bytes.subarray(rank * MAX_BLOCK_BYTES, (rank + 1) * MAX_BLOCK_BYTES),
  )

/** Last, empty block of a brotli stream (RFC 7932, 9.2). */
const BROTLI_END = Buffer.from([3])

/** Returns a block of brotli that stores its bytes uncompressed: no last block, four digits of length, flag 20. */
const brotliBlock = (bytes: Buffer): Buffer => {
  const header = Buffer.alloc(3)
  header.writeUIntLE(((bytes.length - 1) << 3) | (1 << 19), 0, 3)
  return Buffer.concat([header, bytes])
}

/** Returns a block of deflate that stores its bytes uncompressed (RFC 1951, 3.2.4). */
const deflateBlock = (bytes: Buffer, is_last: boolean): Buffer => {
  const header = Buffer.alloc(5)
  header.writeUInt8(is_last ? 1 : 0, 0)
  header.writeUInt16LE(bytes.length, 1)
  header.writeUInt16LE(bytes.length ^ 0xffff, 3)
  return Buffer.concat([header, bytes])
}

/** Returns the end of a gzip stream: checksum and length of all uncompressed bytes (RFC 1952). */
const gzipEnd = (whole: Buffer[]): Buffer => {
  const end = Buffer.alloc(8)
  end.writeUInt32LE(
    whole.reduce((sum, bytes) => crc32(bytes, sum), 0),
    0,
  )
  end.writeUInt32LE(whole.reduce((sum, { length }) => sum + length, 0) >>> 0, 4)
  return end
}

/**
 * Returns an open page in one of its encodings, completed by a non-empty text of one visitor. The text is stored
 * uncompressed behind the compressed bytes, so that a visit costs no compression.
 */
export const appendToPage = (
  { encodings }: CompressedPage,
  { name, bytes }: EncodedBody,
  text: string,
): Buffer => {
  const added = Buffer.from(text)
  const blocks = blocksOf(added)
  switch (name) {
    case 'br':
      return Buffer.concat([bytes, ...blocks.map(brotliBlock), BROTLI_END])
    case 'gzip': {
      const start = encodings.find((encoded) => encoded.name === 'identity')?.bytes
      if (!start) throw new Error('A packed page always has its identity form')
      const stored = blocks.map((block, rank) => deflateBlock(block, rank === blocks.length - 1))
      return Buffer.concat([bytes, ...stored, gzipEnd([start, added])])
    }
    default:
      return Buffer.concat([bytes, added])
  }
}
