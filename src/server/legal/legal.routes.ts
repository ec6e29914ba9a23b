import type { FastifyInstance } from 'fastify'
import type { LegalConfig } from '#server/config.ts'
import type { HtmlPage } from '#server/http/html-page.ts'
import { packPage } from '#server/http/packed-page.ts'
import { HTML, sendPacked } from '#server/taking/page-reply.ts'
import { writeAccessibilityPage } from './accessibility-page.ts'
import type { LegalPath } from './legal-page.ts'
import { writeNoticePage } from './notice-page.ts'
import { writePrivacyPage } from './privacy-page.ts'

const WRITERS: Record<LegalPath, (legal: LegalConfig) => HtmlPage> = {
  '/confidentialite': writePrivacyPage,
  '/accessibilite': writeAccessibilityPage,
  '/mentions-legales': writeNoticePage,
}

/** Serves the pages that the law asks for, written once from the configuration. */
export const serveLegalPages = (app: FastifyInstance, legal: LegalConfig): void => {
  for (const [path, write] of Object.entries(WRITERS)) {
    const packing = packPage(write(legal))
    app.get(path, async (request, reply) =>
      sendPacked(request, reply, await packing, { type: HTML, caching: 'no-cache' }),
    )
  }
}
