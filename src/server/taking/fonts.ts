import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { FAMILIES, type Family, FONT_WEIGHTS, fontAddress } from '#domain/fonts.ts'
import { notFound } from '#server/http/errors.ts'
import { pathOf } from '#server/http/raw-path.ts'

/** The address of each file says what is in it. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

const FILES = Object.keys(FAMILIES).flatMap((family) =>
  FONT_WEIGHTS.map((weight) => ({
    address: fontAddress(family as Family, weight),
    file: `@fontsource/${family}/files/${family}-latin-${weight}-normal.woff2`,
  })),
)

/** GET /fonts/{family}-{weight}.{digest}.woff2: the fonts of public pages, from memory; each is read when it is first asked for. */
export const serveFonts = (app: FastifyInstance): void => {
  const files = new Map(FILES.map(({ address, file }) => [address, file]))
  const read = new Map<string, Buffer>()
  app.get('/fonts/:name', (request, reply) => {
    const address = pathOf(request)
    const file = files.get(address)
    if (!file) throw notFound('Police introuvable')
    const bytes = read.get(address) ?? readFileSync(fileURLToPath(import.meta.resolve(file)))
    read.set(address, bytes)
    return reply.headers({ 'cache-control': IMMUTABLE }).type('font/woff2').send(bytes)
  })
}
