import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { HtmlPage } from './html-page.ts'

/** A page as it goes out: the same bytes three times, each with its own strong validator. */
export type PackedPage = { policy: string; may_be_framed?: boolean; encodings: Encoded[] }
export type Encoded = { name: 'br' | 'gzip' | 'identity'; etag: string; bytes: Buffer }

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Up to this size the best compression takes some tens of milliseconds, once for each version. */
const LARGEST_FOR_BEST = 262_144

/** Compresses a page once for all visitors, off the main thread. */
export const packPage = async ({
  html,
  policy,
  may_be_framed,
}: Omit<HtmlPage, 'may_be_framed'> & Partial<HtmlPage>): Promise<PackedPage> => {
  const bytes = Buffer.from(html)
  const digest = createHash('sha256').update(policy).update(bytes).digest('base64url')
  const quality = bytes.length <= LARGEST_FOR_BEST ? 11 : 5
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [br, gzipped] = await Promise.all([compressBrotli(bytes, { params }), compressGzip(bytes)])
  return {
    policy,
    may_be_framed,
    encodings: [
      { name: 'br', etag: `"${digest}-br"`, bytes: br },
      { name: 'gzip', etag: `"${digest}-gz"`, bytes: gzipped },
      { name: 'identity', etag: `"${digest}"`, bytes },
    ],
  }
}

/** The smallest form that the browser takes; an encoding it names with q=0 is one it refuses. */
export const chooseEncoding = (page: PackedPage, accepted = ''): Encoded => {
  const names = accepted
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
    .filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name)
  const encoded = page.encodings.find(({ name }) => name === 'identity' || names.includes(name))
  if (!encoded) throw new Error('A packed page always has its identity form')
  return encoded
}

/** True when If-None-Match names this validator. */
export const isUnchanged = ({ etag }: Encoded, ifNoneMatch = ''): boolean =>
  ifNoneMatch.split(',').some((entry) => ['*', etag].includes(entry.trim().replace(/^W\//, '')))
