import type { FastifyInstance } from 'fastify'
import { LEGAL_PAGES } from './legal-pages.ts'

const ANYONE = { config: { access: 'anyone' } } as const

/** Addresses that search engines need not read: the calls of programs, and searches of the help. */
const CLOSED_PATHS = ['/api/', '/auth/', '/aide?']

/** Serves /robots.txt and /sitemap.xml, which names the public pages of this site, but no questionnaire of a creator. */
export const serveSitemap = (
  app: FastifyInstance,
  { public_url, paths }: { public_url: string; paths: () => readonly string[] },
): void => {
  const robots = [
    'User-agent: *',
    ...CLOSED_PATHS.map((path) => `Disallow: ${path}`),
    `Sitemap: ${public_url}/sitemap.xml`,
    '',
  ].join('\n')
  app.get('/robots.txt', ANYONE, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(robots),
  )
  app.get('/sitemap.xml', ANYONE, async (_request, reply) => {
    const locations = [...paths(), ...Object.keys(LEGAL_PAGES)].map(
      (path) => `<url><loc>${public_url}${path}</loc></url>`,
    )
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations.join('')}</urlset>\n`,
      )
  })
}
