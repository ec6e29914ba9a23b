import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseTemplates, TEMPLATE_PURPOSES, type Template } from '#domain/templates/templates.ts'
import { createPageStore } from '#server/site/page-store.ts'
import { writeGallery, writeMissingModelPage, writeModelPage } from './write-model-pages.ts'

/** Folder of the texts, which the gallery of the creators' screens also shows. */
const FOLDER = join(import.meta.dirname, '../../../domain/templates')

/** Reads and parses all templates. */
const readTemplates = (): Template[] =>
  parseTemplates(
    Object.fromEntries(
      Object.keys(TEMPLATE_PURPOSES).map((key) => [
        key,
        readFileSync(join(FOLDER, `${key}.txt`), 'utf8'),
      ]),
    ),
  )

/** Paths of the gallery and of its templates. */
export const modelPaths = (): string[] => [
  '/modeles',
  ...Object.keys(TEMPLATE_PURPOSES).map((key) => `/modeles/${key}`),
]

/** Serves the gallery of templates below /modeles. Its pages are written and compressed once, at the first request. */
export const serveModels = (app: FastifyInstance, public_url: string): void => {
  const store = createPageStore(() => {
    const templates = readTemplates()
    return {
      pages: [
        ['/modeles', writeGallery(templates, public_url)],
        ...templates.map(
          (template) => [`/modeles/${template.key}`, writeModelPage(template, public_url)] as const,
        ),
      ],
      missing: writeMissingModelPage(public_url),
    }
  })
  const send = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    store.send(request, reply)
  const options = { config: { access: 'anyone' } } as const
  app.get('/modeles', options, send)
  app.get('/modeles/*', options, send)
}
