import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { frameCode } from '#domain/publishing/embed-code.ts'
import { publicPath } from '#domain/questionnaire/access.ts'
import { ApiError, notFound } from '#server/http/edge/errors.ts'
import { parseShape } from '#server/http/edge/validation.ts'
import { cleanPublicAddress } from '#server/http/pages/clean-public-address.ts'
import { REVALIDATE_HEADERS } from '#server/published-versions/cache-headers.ts'
import type { VersionReader } from '#server/published-versions/published-versions.ts'
import type { QuizSlugs } from '#server/published-versions/quiz-slugs.ts'

type Dependencies = {
  versionReader: Pick<VersionReader, 'current'>
  slugs: Pick<QuizSlugs, 'find'>
  public_url: string
}

/** Default size of a frame in pixels: the width of the page's column, and the height of an average page. */
const FRAME = { width: 704, height: 600 }
const MAX_ADDRESS_LENGTH = 2_000
const MAX_PIXELS = 100_000

/** Number of pixels. Some sites send an empty text for none. */
const pixels = z.preprocess(
  (value) => (value === '' ? undefined : value),
  z.coerce.number().int().min(1).max(MAX_PIXELS).optional(),
)
const requestShape = z.object({
  url: z.string().max(MAX_ADDRESS_LENGTH),
  maxwidth: pixels,
  maxheight: pixels,
  format: z.string().max(20).default('json'),
})

/** Returns the address of the oEmbed description of a public page, which its head and its `Link` header name. */
export const oembedAddress = (url: string): string =>
  new URL(`/oembed?url=${encodeURIComponent(url)}`, url).href

/** Returns the `Link` header by which sites find the oEmbed description of a public page. */
export const oembedLink = (url: string): string =>
  `<${oembedAddress(url)}>; rel="alternate"; type="application/json+oembed"`

/** Address in a text, with the punctuation after it. */
const ADDRESS = /https?:\/\/\S+/i
const PAGE_PATH = /^\/q\/([a-z0-9-]{3,60})(?:\?|$)/

/** Returns the id or slug in the address of a public page; undefined for an address of another site. */
const quizIn = (text: string, public_url: string): string | undefined => {
  const [url = ''] = ADDRESS.exec(text) ?? []
  if (!URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  if (origin !== new URL(public_url).origin) return undefined
  return PAGE_PATH.exec(cleanPublicAddress(pathname) ?? '')?.[1]
}

/**
 * Registers GET /oembed, which returns the frame of a published quiz for the address of its page (https://oembed.com).
 * Answers 404 for all other addresses, and 501 for formats other than JSON. Pages of every site may read the answer.
 */
export const registerOembed = (
  app: FastifyInstance,
  { versionReader, slugs, public_url }: Dependencies,
): void => {
  app.get('/oembed', { config: { access: 'anyone', limits: 'oembed' } }, async (request, reply) => {
    const { url, maxwidth, maxheight, format } = parseShape(requestShape, request.query)
    if (format !== 'json')
      throw new ApiError(501, 'format_not_implemented', 'Seul le format JSON est disponible')
    const address = quizIn(url, public_url)
    const quiz_id = address && (await slugs.find(address))
    const current = quiz_id ? await versionReader.current(quiz_id) : undefined
    if (!quiz_id || !current?.is_published) throw notFound()
    const { name: title } = current.snapshot.quiz
    const size = {
      width: Math.min(FRAME.width, maxwidth ?? FRAME.width),
      height: Math.min(FRAME.height, maxheight ?? FRAME.height),
    }
    const link = new URL(publicPath({ id: quiz_id, slug: current.slug }), public_url).href
    return reply.headers({ ...REVALIDATE_HEADERS, 'access-control-allow-origin': '*' }).send({
      version: '1.0',
      type: 'rich',
      provider_name: 'Quizaine',
      provider_url: public_url,
      title,
      html: frameCode({ link, title, ...size }),
      ...size,
    })
  })
}
