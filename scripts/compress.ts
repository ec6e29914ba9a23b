import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'

/** Under this a compressed twin saves no packet. */
const SMALLEST_BYTES = 1_024

const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } }

/** Writes the .br and .gz twins of a folder's text files, which the server sends to browsers that take them. */
export const compressFolder = (folder: string): void => {
  for (const name of globSync('**/*.{js,css,html,svg}', { cwd: folder })) {
    const file = join(folder, name)
    const bytes = readFileSync(file)
    if (bytes.length <= SMALLEST_BYTES) continue
    const twins = [
      { ending: 'br', packed: brotliCompressSync(bytes, BROTLI) },
      { ending: 'gz', packed: gzipSync(bytes, { level: zlib.Z_BEST_COMPRESSION }) },
    ]
    for (const { ending, packed } of twins)
      if (packed.length < bytes.length) writeFileSync(`${file}.${ending}`, packed)
  }
}
