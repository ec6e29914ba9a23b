import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from '#server/http/edge/fast-path.ts'
import { type CompressedPage, compressPage, type HtmlPage } from '#server/http/pages/html-page.ts'
import { HTML, LINKED_HEADERS, sendCompressed, sendPage } from '#server/public-quiz/page-reply.ts'

type WrittenPages = {
  /** Pages with their paths. */
  pages: readonly (readonly [path: string, page: HtmlPage])[]
  /** Page of all other paths. */
  missing: HtmlPage
}

/** Pages in memory, of which each is sent at its own path only. */
export type PageStore = {
  send: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/**
 * Creates a store of public pages that are written and compressed once, at the first request. Its keys are the paths of the
 * site, so that no request adds an entry. Any other spelling of a path is answered with 404.
 */
export const createPageStore = (write: () => WrittenPages): PageStore => {
  const prepare = async () => {
    const { pages, missing } = write()
    const compressed = pages.map(
      async ([path, page]): Promise<[string, CompressedPage]> => [path, await compressPage(page)],
    )
    return { stored: new Map(await Promise.all(compressed)), missing }
  }
  let preparing: ReturnType<typeof prepare> | undefined
  return {
    send: async (request, reply) => {
      preparing ??= prepare()
      const { stored, missing } = await preparing
      const page = stored.get(pathOf(request))
      if (!page) return sendPage(reply, 404, missing)
      return sendCompressed(request, reply.headers(LINKED_HEADERS), page, { type: HTML })
    },
  }
}
