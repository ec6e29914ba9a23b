import { inflateRawSync } from 'node:zlib'

const DIRECTORY_ENTRY = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
const DEFLATED = 8

/** Returns the files of a small zip archive as texts by name. */
export const unzip = (archive: Buffer): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipBytes(archive)).map(([name, bytes]) => [name, bytes.toString()]),
  )

/** Returns the files of a small zip archive by name. */
export const unzipBytes = (archive: Buffer): Record<string, Buffer> => {
  const end = archive.length - 22
  if (archive.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error('This is no zip archive')
  const files: Record<string, Buffer> = {}
  let at = archive.readUInt32LE(end + 16)
  while (archive.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const [name_length, extra_length, comment_length] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    )
    const name = archive.toString('utf8', at + 46, at + 46 + (name_length ?? 0))
    const start = archive.readUInt32LE(at + 42)
    const data = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
    const packed = archive.subarray(data, data + archive.readUInt32LE(at + 20))
    const isPacked = archive.readUInt16LE(at + 10) === DEFLATED
    files[name] = isPacked ? inflateRawSync(packed) : packed
    at += 46 + (name_length ?? 0) + (extra_length ?? 0) + (comment_length ?? 0)
  }
  return files
}
