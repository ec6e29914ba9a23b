import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from '#server/http/edge/fast-path.ts'
import { sendCompressed, sendPage } from '#server/public-quiz/page-reply.ts'
import { createPageStore } from '#server/site/page-store.ts'
import { type Help, readHelp } from './read-help.ts'
import { indexHelp, readSearch, type SearchIndex, searchHelp } from './search-help.ts'
import {
  writeHelpHome,
  writeHelpPage,
  writeMissingHelpPage,
  writeSearchPage,
} from './write-help.ts'

const ANYONE = { config: { access: 'anyone' } } as const
/** The first page also answers searches, each of which reads the whole help. */
const SEARCH = { config: { access: 'anyone', limits: 'page' } } as const
const PICTURE_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Returns the first value of the parameter `q`; undefined if the address has none. */
const queryOf = ({ query }: FastifyRequest): string | undefined => {
  if (typeof query !== 'object' || query === null || !('q' in query)) return undefined
  const [first]: unknown[] = [query.q].flat()
  return typeof first === 'string' ? first : ''
}

/**
 * Serves the help below /aide. Its texts are read at the first request. Searches are answered without a cache, so that
 * no visitor can fill the memory. Returns the paths of all pages.
 */
export const serveHelp = (app: FastifyInstance, public_url: string): { paths: () => string[] } => {
  let loaded: (Help & { index: SearchIndex }) | undefined
  const load = (): Help & { index: SearchIndex } => {
    if (loaded) return loaded
    const help = readHelp()
    loaded = { ...help, index: indexHelp(help.pages) }
    return loaded
  }
  const missing = writeMissingHelpPage(public_url)
  const store = createPageStore(() => {
    const { pages } = load()
    return {
      pages: [
        ['/aide', writeHelpHome(pages, public_url)],
        ...pages.map(
          (page) => [`/aide/${page.slug}`, writeHelpPage(page, pages, public_url)] as const,
        ),
      ],
      missing,
    }
  })
  const send = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    store.send(request, reply)
  app.get('/aide', SEARCH, async (request, reply) => {
    const typed = queryOf(request)
    if (typed === undefined) return send(request, reply)
    const { index, pages } = load()
    const searched = readSearch(typed)
    const results = searchHelp(index, searched)
    return sendPage(reply, 200, writeSearchPage(searched, results, pages, public_url))
  })
  app.get('/aide/*', ANYONE, send)
  app.get<{ Params: { name: string } }>('/aide/images/:name', ANYONE, async (request, reply) => {
    const picture = load().pictures.get(request.params.name)
    if (!picture || pathOf(request) !== `/aide/images/${picture.name}`)
      return sendPage(reply, 404, missing)
    const { bytes, digest } = picture
    return sendCompressed(
      request,
      reply,
      {
        policy: PICTURE_POLICY,
        encodings: [{ name: 'identity', etag: `"${digest}"`, bytes }],
      },
      { type: 'image/webp' },
    )
  })
  return { paths: () => ['/aide', ...load().pages.map(({ slug }) => `/aide/${slug}`)] }
}
