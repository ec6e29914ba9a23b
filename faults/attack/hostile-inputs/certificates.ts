import type { Client } from '#contract/client/client.ts'
import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import { type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { createNetwork, send } from '../runner/requests.ts'
import {
  abbreviate,
  createSceneAttacks,
  expectStatus,
  type SceneAttack,
  sendEach,
} from '../runner/scene-attacks.ts'

/** Attacks on the page that confirms certificates, and on what certificates print. */

type Scene = {
  origin: string
  /** Origin of the site with rate limits. */
  limited_origin: string
  client: Client
  /** Number that the certificate of a participant prints. */
  number: string
  participant_uuid: string
}
const EMAIL = 'victime@exemple.fr'
const NUMBER = /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/

/** Reads the number that a certificate prints. */
const readNumber = async (pdf: Buffer): Promise<string> => {
  const { extractText } = await import('unpdf')
  const { text } = await extractText(new Uint8Array(pdf), { mergePages: true })
  return NUMBER.exec(text)?.[0] ?? ''
}

const openScene = async ({ configuredSite }: AttackContext): Promise<Scene> => {
  const { origin } = await configuredSite('without_confirmation')
  const { origin: limited_origin } = await configuredSite('rate_limited')
  const client = clientOf(origin, await signUp(origin))
  const quiz = await publishReportQuiz(client)
  const { documents, participant_uuid } = await submitToReportQuiz(clientOf(origin), quiz, {
    email: EMAIL,
  })
  const certificate = origin + (documents?.certificate ?? '')
  const number = await readNumber((await send(certificate)).bytes)
  assertPrecondition(number !== '', 'the certificate has no number')
  return { origin, limited_origin, client, number, participant_uuid: `${participant_uuid}` }
}

/** Sends the form that confirms a certificate. */
const confirm = (origin: string, typed: string, network?: string) =>
  send(`${origin}/attestation?${new URLSearchParams({ numero: typed })}`, { network })

const MARKUP = [
  '"><script>alert(1)</script>',
  "' onfocus=alert(1) autofocus x='",
  '"autofocus onfocus="alert(1)',
  '</title><img src=x onerror=alert(1)>',
  '&#34;&gt;&lt;script&gt;',
  '<svg/onload=alert(1)>',
  '\u2028<b>',
]
const INJECTIONS = [
  "' or '1'='1",
  '%',
  '_'.repeat(16),
  '*'.repeat(16),
  '0000-0000-0000-0000',
  '７Ｋ３Ｍ９ＸＱ２０Ｖ４ＴＨＢ８Ｃ',
  '\\x00',
  'constructor',
  '__proto__',
  'a'.repeat(300),
  '-'.repeat(300),
]

const CONFIRMATIONS: SceneAttack<Scene>[] = [
  [
    'the page of certificates executes a typed text',
    ({ origin }) =>
      sendEach(
        MARKUP,
        (typed) => confirm(origin, typed),
        ({ text, headers }) => {
          const isHtml = headers.get('content-type')?.startsWith('text/html')
          // The only attributes in the input are those of the page.
          return !isHtml || /<script|<img|<svg|<b>|value="[^"]*" (?!aria-invalid)/.test(text)
            ? text.slice(0, 300)
            : undefined
        },
      ),
  ],
  [
    'a pattern, a part or another spelling finds a certificate',
    ({ origin, number }) =>
      sendEach(
        [
          ...INJECTIONS,
          number.slice(0, -1),
          `${number.slice(0, -1)}%`,
          `${number}A`,
          [...number].reverse().join(''),
          number.replaceAll(/\d/g, '_'),
        ],
        (typed) => confirm(origin, typed),
        expectStatus(422, 404),
      ),
  ],
  [
    'odd parameters of the form find a certificate or break the page',
    ({ origin, number }) =>
      sendEach(
        [
          `numero[]=${number}`,
          `numero=${number}&numero=${number}`,
          `numero[$ne]=x`,
          'numero',
          'numero=%',
          'numero=%00',
          'numero=%ff%fe',
          `__proto__[numero]=${number}`,
          `numero=${'7'.repeat(12_000)}`,
        ],
        (query) => send(`${origin}/attestation?${query}`),
        ({ status }) => (status === 303 ? 'a certificate is found' : undefined),
      ),
  ],
  [
    'numbers of certificates are guessed without a limit',
    async ({ limited_origin }) => {
      const network = createNetwork()
      const guess = (rank: number) => {
        const number = `0000-0000-0000-${String(rank).padStart(4, '0')}`
        // Both addresses count for the same limit.
        return rank % 2
          ? confirm(limited_origin, number, network)
          : send(`${limited_origin}/attestation/${number}`, { network })
      }
      for (let rank = 0; rank < 120; rank++) if ((await guess(rank)).status === 429) return []
      return ['120 guesses from one address in a few seconds']
    },
  ],
  [
    'the page of a certificate tells more than the certificate, or is kept by caches',
    async ({ origin, number, participant_uuid }) => {
      const { status, text, headers } = await send(`${origin}/attestation/${number}`)
      assertPrecondition(status === 200, 'the certificate is not confirmed')
      const privateTexts = [EMAIL, participant_uuid, '/rapport/', '/ma-page/', '/q/'].filter(
        (fact) => text.includes(fact),
      )
      const isCacheable = !/no-store|private/.test(headers.get('cache-control') ?? '')
      return [
        ...privateTexts.map((fact) => `it has ${fact}`),
        ...(isCacheable ? ['caches may keep it'] : []),
      ]
    },
  ],
]

/** Issuers and names that a faulty document would run as commands or draw outside their place. */
const HOSTILE_TEXTS = [
  '<script>alert(1)</script>',
  ') Tj /OpenAction << /S /JavaScript /JS (app.alert(1)) >>',
  '\\) endstream endobj 1 0 obj << /AA 2 0 R >>',
  '\u202eécnarF ed éticaV\u202c',
  '\u2066'.repeat(100),
  'M'.repeat(120),
  '‏'.repeat(120),
  '{{score}} {{SECRET_KEY}}',
]
const MAX_DOCUMENT_MS = 10_000
/** Objects of a PDF that run a program or open something. */
const ACTIVE_PDF = /\/(?:JavaScript|JS|OpenAction|AA|Launch|EmbeddedFile|SubmitForm)\b/

/** Publishes a quiz with an issuer, and returns the certificate of a person with a name. */
const certify = async ({ origin, client }: Scene, issuer: string, name: string) => {
  const quiz = await publishReportQuiz(client, { certificate_issuer: issuer })
  const { documents } = await submitToReportQuiz(clientOf(origin), quiz, { name })
  const { status, bytes, ms } = await send(origin + (documents?.certificate ?? ''), {
    timeout_ms: 2 * MAX_DOCUMENT_MS,
  })
  const number = status === 200 ? await readNumber(bytes) : ''
  const page = number ? (await send(`${origin}/attestation/${number}`)).text : ''
  return { status, ms, pdf: bytes.toString('latin1'), page }
}

/** Returns the harm that the certificate of an issuer and a name does; undefined if the certificate only shows both. */
const findCertificateHarm = async (
  scene: Scene,
  issuer: string,
  name: string,
): Promise<string | undefined> => {
  const { status, ms, pdf, page } = await certify(scene, issuer, name)
  if (status >= 500) return `status ${status}`
  if (ms > MAX_DOCUMENT_MS) return `the document took ${Math.round(ms)} ms`
  if (ACTIVE_PDF.test(pdf)) return 'the document has an action'
  // Each text is in an element of its own, so that directions of letters end with it.
  if (/<script|<dd(?! dir="auto")/.test(page)) return `the page has markup: ${page.slice(0, 200)}`
  return undefined
}

/** Creates a certificate with each issuer and name. Returns a line for each certificate that does harm. */
const certifyEach = async (
  scene: Scene,
  texts: readonly { issuer?: string; name?: string }[],
): Promise<string[]> => {
  const successes: string[] = []
  for (const { issuer = 'Croix-Rouge', name = 'Léa' } of texts) {
    const harm = await findCertificateHarm(scene, issuer, name)
    if (harm) successes.push(`${abbreviate([issuer, name])}: ${harm}`)
  }
  return successes
}

const CERTIFICATES: SceneAttack<Scene>[] = [
  [
    'the issuer of a certificate writes markup or commands',
    (scene) =>
      certifyEach(
        scene,
        HOSTILE_TEXTS.map((issuer) => ({ issuer })),
      ),
  ],
  [
    'the name of a participant writes markup or commands',
    (scene) =>
      certifyEach(
        scene,
        HOSTILE_TEXTS.map((name) => ({ name })),
      ),
  ],
  [
    'an issuer of 10,000 letters is stored, or the certificate of such a name harms the server',
    async (scene) => {
      const long = 'é'.repeat(10_000)
      const isStored = await publishReportQuiz(scene.client, { certificate_issuer: long }).then(
        () => true,
        () => false,
      )
      const names = [long, 'a\u0301'.repeat(5_000), '王'.repeat(5_000), 'a '.repeat(5_000)]
      const successes = await certifyEach(
        scene,
        names.map((name) => ({ name })),
      )
      return isStored ? ['the issuer is stored', ...successes] : successes
    },
  ],
]

/** Attacks on certificates and on their confirmation. */
export const certificateAttacks = createSceneAttacks(openScene, [...CONFIRMATIONS, ...CERTIFICATES])
