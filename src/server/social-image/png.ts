import { promisify } from 'node:util'
import { constants, crc32, deflate } from 'node:zlib'
import type { Canvas } from './canvas.ts'

const compress = promisify(deflate)
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const EIGHT_BITS = 8
const TRUE_COLOUR = 2

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

/** A canvas as a PNG file; compressed off the main thread. */
export const encodePng = async ({ width, height, pixels }: Canvas): Promise<Buffer> => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([EIGHT_BITS, TRUE_COLOUR], 8)
  const row_bytes = width * 3
  // Each row begins with the number of its filter: none, which is best for flat colours.
  const rows = Buffer.alloc((row_bytes + 1) * height)
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(row * row_bytes, (row + 1) * row_bytes), row * (row_bytes + 1) + 1)
  const data = await compress(rows, { level: constants.Z_BEST_COMPRESSION })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
