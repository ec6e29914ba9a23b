import type { Client } from '#contract/client/client.ts'
import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { clientOf, signUp } from '../../../scripts/http-client.ts'
import { createNetwork } from '../accounts/auth-client.ts'
import { type AttackContext, assertPrecondition } from '../attack.ts'
import { attacksOn, send, type Try, tryEach } from './tries.ts'

/** Attacks on the page that confirms certificates, and on what certificates print. */

type Scene = {
  origin: string
  limited: string
  client: Client
  /** Certificate of a participant, the page that confirms it, and its number. */
  certificate: string
  number: string
  participant_uuid: string
}
const EMAIL = 'victime@exemple.fr'
const NUMBER = /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/

/** Reads the number that a certificate prints. */
const readNumber = async (pdf: Uint8Array): Promise<string> => {
  const { extractText } = await import('unpdf')
  const { text } = await extractText(pdf, { mergePages: true })
  return NUMBER.exec(text)?.[0] ?? ''
}

const download = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
}

const openScene = async ({ site }: AttackContext): Promise<Scene> => {
  const { origin } = await site('without_confirmation')
  const { origin: limited } = await site('rate_limited')
  const client = clientOf(origin, await signUp(origin))
  const quiz = await publishReportQuiz(client)
  const { documents, participant_uuid } = await submitToReportQuiz(clientOf(origin), quiz, {
    email: EMAIL,
  })
  const certificate = origin + (documents?.certificate ?? '')
  const number = await readNumber((await download(certificate)).bytes)
  assertPrecondition(number !== '', 'the certificate has no number')
  return { origin, limited, client, certificate, number, participant_uuid: `${participant_uuid}` }
}

const confirm = (origin: string, typed: string, headers = {}) =>
  send(`${origin}/attestation?${new URLSearchParams({ numero: typed })}`, { headers })

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

const CONFIRMATIONS: Try<Scene>[] = [
  [
    'the page of certificates executes a typed text',
    ({ origin }) =>
      tryEach(
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
      tryEach(
        [
          ...INJECTIONS,
          number.slice(0, -1),
          `${number.slice(0, -1)}%`,
          `${number}A`,
          [...number].reverse().join(''),
          number.replaceAll(/\d/g, '_'),
        ],
        (typed) => confirm(origin, typed),
        ({ status }) => (status === 422 || status === 404 ? undefined : `status ${status}`),
      ),
  ],
  [
    'odd parameters of the form find a certificate or break the page',
    ({ origin, number }) =>
      tryEach(
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
    async ({ limited }) => {
      const from = { 'x-forwarded-for': createNetwork() }
      const guess = (rank: number) => {
        const number = `0000-0000-0000-${String(rank).padStart(4, '0')}`
        // Both addresses count for the same limit.
        return rank % 2
          ? confirm(limited, number, from)
          : send(`${limited}/attestation/${number}`, { headers: from })
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
      const told = [EMAIL, participant_uuid, '/rapport/', '/ma-page/', '/q/'].filter((fact) =>
        text.includes(fact),
      )
      const isKept = !/no-store|private/.test(headers.get('cache-control') ?? '')
      return [...told.map((fact) => `it has ${fact}`), ...(isKept ? ['caches may keep it'] : [])]
    },
  ],
]

const ISSUERS = [
  '<script>alert(1)</script>',
  ') Tj /OpenAction << /S /JavaScript /JS (app.alert(1)) >>',
  '\\) endstream endobj 1 0 obj << /AA 2 0 R >>',
  '\u202eécnarF ed éticaV\u202c',
  '\u2066'.repeat(100),
  'M'.repeat(120),
  '‏'.repeat(120),
  '{{score}} {{SECRET_KEY}}',
]
const ACTIVE_PDF = /\/(?:JavaScript|JS|OpenAction|AA|Launch|EmbeddedFile|SubmitForm)\b/

/** Publishes a quiz with an issuer, and returns the certificate of a person with a name. */
const certify = async ({ origin, client }: Scene, issuer: string, name: string) => {
  const quiz = await publishReportQuiz(client, { certificate_issuer: issuer })
  const { documents } = await submitToReportQuiz(clientOf(origin), quiz, { name })
  const begun = performance.now()
  const { status, bytes } = await download(origin + (documents?.certificate ?? ''))
  const ms = performance.now() - begun
  const number = status === 200 ? await readNumber(bytes) : ''
  const page = number ? (await send(`${origin}/attestation/${number}`)).text : ''
  return { status, ms, pdf: Buffer.from(bytes).toString('latin1'), page }
}

/** Returns what a certificate of an issuer and a name does beyond showing both. */
const findCertificateHarm = async (
  scene: Scene,
  issuer: string,
  name: string,
): Promise<string | undefined> => {
  const { status, ms, pdf, page } = await certify(scene, issuer, name)
  if (status >= 500) return `status ${status}`
  if (ms > 10_000) return `the document took ${Math.round(ms)} ms`
  if (ACTIVE_PDF.test(pdf)) return 'the document has an action'
  // Each text is in an element of its own, so that directions of letters end with it.
  if (/<script|<dd(?! dir="auto")/.test(page)) return `the page has markup: ${page.slice(0, 200)}`
  return undefined
}

const CERTIFICATES: Try<Scene>[] = [
  [
    'the issuer of a certificate writes markup or commands',
    async (scene) => {
      const successes: string[] = []
      for (const issuer of ISSUERS) {
        const harm = await findCertificateHarm(scene, issuer, 'Léa')
        if (harm) successes.push(`${issuer.slice(0, 40)}: ${harm}`)
      }
      return successes
    },
  ],
  [
    'the name of a participant writes markup or commands',
    async (scene) => {
      const successes: string[] = []
      for (const name of ISSUERS) {
        const harm = await findCertificateHarm(scene, 'Croix-Rouge', name)
        if (harm) successes.push(`${name.slice(0, 40)}: ${harm}`)
      }
      return successes
    },
  ],
  [
    'an issuer of 10,000 letters is stored, or the certificate of such a name harms the server',
    async (scene) => {
      const long = 'é'.repeat(10_000)
      const isStored = await publishReportQuiz(scene.client, { certificate_issuer: long }).then(
        () => true,
        () => false,
      )
      const successes = isStored ? ['the issuer is stored'] : []
      for (const name of [long, 'a\u0301'.repeat(5_000), '王'.repeat(5_000), 'a '.repeat(5_000)]) {
        const harm = await findCertificateHarm(scene, 'Croix-Rouge', name)
        if (harm) successes.push(`${name.slice(0, 4)}: ${harm}`)
      }
      return successes
    },
  ],
]

/** Attacks on certificates and on their confirmation. */
export const certificateAttacks = attacksOn(openScene, [...CONFIRMATIONS, ...CERTIFICATES])
