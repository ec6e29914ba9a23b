import type { StaticDocumentSpec } from '@fastify/swagger'
import swagger from '@fastify/swagger'
import swaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '#contract/client/openapi.ts'
import { typescriptClient } from '#contract/client/typescript-client.ts'
import { quizFileSchema } from '#contract/quiz-files.ts'
import { escapeHtml } from '#domain/common/escape-html.ts'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { declareAccess } from '#server/http/edge/access.ts'
import { compressPage, type HtmlPage, writeHtmlPage } from '#server/http/pages/html-page.ts'
import { HTML, sendCompressed } from '#server/public-quiz/page-reply.ts'
import { GUIDE, type GuidePart } from './api-guide.ts'

const TITLE = 'L’API de Quizaine'

const STYLE = [
  ':root{color-scheme:light dark;--ink:#37352f;--paper:#fff;--wash:#f4f3f0;--line:#d9d7d2;--link:#0a5bc4}',
  '@media(prefers-color-scheme:dark){:root{--ink:#e6e4df;--paper:#1b1b1a;--wash:#282726;--line:#4a4845;--link:#8ab4f8}}',
  'body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,sans-serif}',
  'header,main,footer{max-width:46rem;margin:0 auto;padding:1rem}',
  'h1{font-size:1.75rem;line-height:1.25}h2{margin-top:2.5rem;font-size:1.25rem}',
  'a{color:var(--link)}nav a,header a{display:inline-block;min-height:2.75rem}nav ul{padding-left:1rem}',
  'code,pre{font:.9375rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}',
  'pre{margin:1rem 0;border-radius:.5rem;padding:.75rem 1rem;background:var(--wash);white-space:pre-wrap}',
  'table{width:100%;border-collapse:collapse}',
  'th,td{border-top:1px solid var(--line);padding:.375rem .5rem .375rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}',
  'footer{padding-bottom:3rem}:focus-visible{outline:2px solid var(--link);outline-offset:2px}',
].join('')

/** Returns the HTML of a paragraph with its code and links. */
const inline = (text: string): string =>
  escapeHtml(text)
    .split('`')
    .map((part, index) => (index % 2 ? `<code>${part}</code>` : tiePunctuation(part)))
    .join('')
    .replaceAll(/\[([^[\]]+)\]\(([^()]+)\)/g, '<a href="$2">$1</a>')

const rowOf = (tag: 'th' | 'td', cells: string[]): string =>
  `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`

const partOf = (part: GuidePart): string => {
  if ('p' in part) return `<p>${inline(part.p)}</p>`
  if ('code' in part) return `<pre><code>${escapeHtml(part.code)}</code></pre>`
  if ('command' in part)
    return `<pre id="exemple-${part.name}"><code>${escapeHtml(part.command)}</code></pre>`
  const [head = [], ...rows] = part.table
  return `<table><thead>${rowOf('th', head)}</thead><tbody>${rows.map((row) => rowOf('td', row)).join('')}</tbody></table>`
}

/** Writes /docs, the guide for programs, as a page without scripts or external resources. */
const writeGuidePage = (): HtmlPage => {
  const contents = GUIDE.map(
    ({ title }, index) => `<li><a href="#partie-${index}">${title}</a></li>`,
  )
  const sections = GUIDE.map(
    ({ title, parts }, index) =>
      `<section><h2 id="partie-${index}">${inline(title)}</h2>${parts.map(partOf).join('')}</section>`,
  )
  return writeHtmlPage({
    title: `${TITLE} – mode d’emploi`,
    style: STYLE,
    body: [
      '<header><a href="/">Quizaine</a></header>',
      `<main><h1>${TITLE}</h1>`,
      '<p>Le mode d’emploi est ici\u202f; la <a href="/docs/reference">Référence</a> a chaque appel et ses champs, aussi en <a href="/docs/reference/json">OpenAPI</a>.</p>',
      `<nav aria-label="Sommaire"><ul>${contents.join('')}</ul></nav>`,
      ...sections,
      '</main>',
    ].join(''),
  })
}

/**
 * Policy that allows only the page's own files, calls and inline styles. The plugin's default would upgrade http to
 * https, which this server does not serve.
 */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ')

type StoredDocument = ReturnType<typeof compressPage>

const ANYONE = { config: { access: 'anyone' } } as const

/** Compresses a document that is written once, at its first request. */
const storeOnce = (write: () => string): (() => StoredDocument) => {
  let packing: StoredDocument | undefined
  return () => {
    packing ??= compressPage({
      html: write(),
      policy: "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    return packing
  }
}

/**
 * Serves the reference of the product API at /docs/reference and the JSON schema of quiz files, both generated from
 * the contract. Their bytes are stored, because the plugin would write the description again for each call.
 */
export const serveDocs = (app: FastifyInstance): void => {
  // The contract generates plain JSON, which the plugin's types describe.
  const document = openApiDocument() as unknown as StaticDocumentSpec['document']
  app.register(swagger, { mode: 'static', specification: { document } })
  const schema = storeOnce(() => JSON.stringify(quizFileSchema()))
  app.get('/docs/quiz-export.schema.json', ANYONE, async (request, reply) =>
    sendCompressed(request, reply, await schema(), { type: SCHEMA_JSON, caching: 'no-cache' }),
  )
  const descriptions = new Map([
    ['/docs/reference/json', { type: JSON_UTF8, bytes: storeOnce(() => JSON.stringify(document)) }],
    [
      '/docs/reference/yaml',
      { type: 'application/x-yaml', bytes: storeOnce(() => app.swagger({ yaml: true })) },
    ],
  ])
  const uiOptions: FastifySwaggerUiOptions = {
    routePrefix: '/docs/reference',
    staticCSP: DOCS_POLICY,
    uiConfig: { validatorUrl: null },
    uiHooks: {
      preHandler: async (request, reply) => {
        const stored = descriptions.get(request.routeOptions.url ?? '')
        if (!stored) return
        return sendCompressed(request, reply, await stored.bytes(), {
          type: stored.type,
          caching: 'no-cache',
        })
      },
    },
  }
  app.register(async (scope) => {
    declareAccess(scope, 'anyone')
    await scope.register(swaggerUi, uiOptions)
  })
}

const JSON_UTF8 = 'application/json; charset=utf-8'
const SCHEMA_JSON = 'application/schema+json; charset=utf-8'

/** Serves the guide of the API at /docs and its TypeScript client, both written on first use. */
export const serveGuide = (app: FastifyInstance): void => {
  let packing: StoredDocument | undefined
  app.get('/docs', ANYONE, async (request, reply) => {
    packing ??= compressPage(writeGuidePage())
    return sendCompressed(request, reply, await packing, { type: HTML, caching: 'no-cache' })
  })
  const client = storeOnce(typescriptClient)
  app.get('/docs/quizaine.ts', ANYONE, async (request, reply) =>
    sendCompressed(request, reply, await client(), {
      type: 'text/plain; charset=utf-8',
      caching: 'no-cache',
    }),
  )
}
