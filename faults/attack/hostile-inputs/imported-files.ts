import Papa from 'papaparse'
import { convertBytes } from '#domain/imports/convert-file.ts'
import { send } from '../runner/requests.ts'
import {
  abbreviate,
  createSceneAttacks,
  expectStatus,
  openQuizScene,
  type QuizScene,
  type SceneAttack,
  sendEach,
} from '../runner/scene-attacks.ts'

/** Attacks through imported files, which the browser reads and the server stores. */

/** Time in which the browser reads the largest file that it accepts, on a slow machine. */
const MAX_CONVERSION_MS = 5_000
const MEGABYTE = 1_048_576
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
const csv = (text: string): Buffer => Buffer.from(`Horodateur,${text}`)

const LARGE_FILES: Record<string, Buffer> = {
  'line separators in UTF-16': utf16('\u2028a'.repeat(MEGABYTE)),
  'halves of pairs in UTF-16': Buffer.concat([utf16('Horodateur,a\n'), Buffer.alloc(4e6, 0xd8)]),
  'a swapped mark in UTF-16': Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.alloc(4e6, 0x20)]),
  'continuations in UTF-8': Buffer.concat([csv('a\n'), Buffer.alloc(4e6, 0x80)]),
  'overlong sequences in UTF-8': Buffer.concat([
    csv('a\n'),
    Buffer.alloc(4e6, '\xc0\xaf', 'latin1'),
  ]),
  'a line of 5 MB': csv('a'.repeat(5 * MEGABYTE - 20)),
  'quotation marks': csv('"'.repeat(5 * MEGABYTE - 20)),
  'escaped quotation marks in open quotes': csv('"'.concat('""a'.repeat(1_600_000))),
  'quotation marks before spaces': csv(`"${'"a'.repeat(2_000_000)}${' '.repeat(MEGABYTE)},\n`),
  'empty columns': csv(','.repeat(5 * MEGABYTE - 20)),
  'empty rows': csv('\n\r'.repeat(2.5 * MEGABYTE - 20)),
  'brackets in a header': csv('a ['.repeat(1_500_000)),
  'nested lists': Buffer.from(`{"fields":${'['.repeat(2_000_000)}`),
  'entities in titles': Buffer.from(
    `{"thankyou_screens":[],"fields":[{"type":"short_text","title":"${'&#'.repeat(2_000_000)}"}]}`,
  ),
}

const SEPARATORS = [
  '"',
  '\\',
  '^',
  '$',
  '.',
  '*',
  '\0',
  '\ud83d',
  '😀',
  'é',
  ' ',
  'H',
  '\u2028',
  '&',
]
const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

/** Returns the harm that a file does to the program that reads it. */
const findConversionHarm = (file: Uint8Array): string | undefined => {
  const begun = performance.now()
  let converted: ReturnType<typeof convertBytes>
  try {
    converted = convertBytes(file, 'fichier.csv', Papa.parse)
  } catch (error) {
    return `the reader throws ${String(error).slice(0, 80)}`
  }
  const ms = performance.now() - begun
  if (ms > MAX_CONVERSION_MS) return `the reader takes ${Math.round(ms)} ms`
  const text = JSON.stringify(converted)
  return /native code|\[object |undefined|\ufffd/.test(text) ? abbreviate(text) : undefined
}

const findHarms = (files: Record<string, Uint8Array>): string[] =>
  Object.entries(files).flatMap(([name, file]) => {
    const harm = findConversionHarm(file)
    return harm ? [`${name}: ${harm}`] : []
  })

const importFile = ({ origin, access_token }: QuizScene, body: Uint8Array, headers = {}) =>
  send(`${origin}/api/v1/quizzes/import-file`, {
    body,
    headers: {
      authorization: `Bearer ${access_token}`,
      'content-type': 'application/json',
      ...headers,
    },
  })

const IMPORT_ATTACKS: SceneAttack<QuizScene>[] = [
  ['a file of the largest size blocks the browser', async () => findHarms(LARGE_FILES)],
  [
    'an odd separator of a CSV file breaks its reader',
    async () =>
      findHarms(
        Object.fromEntries(
          SEPARATORS.map((sign) => [
            JSON.stringify(sign),
            Buffer.from(`sep=${sign}\nHorodateur${sign}a${sign}b\n1${sign}x${sign}y\n`),
          ]),
        ),
      ),
  ],
  [
    'names of the prototype in a file become values',
    async () =>
      findHarms(
        Object.fromEntries(
          PROTOTYPE_NAMES.flatMap((name) => [
            [`${name} in CSV`, csv(`${name},${name} [${name}],${name} [b]\n1,${name},${name},b\n`)],
            [
              `${name} in Typeform`,
              Buffer.from(
                `{"thankyou_screens":[],"fields":[{"ref":"${name}","type":"${name}","title":"&${name};"},{"type":"email","title":"{{field:${name}}}"}]}`,
              ),
            ],
            [
              `${name} in Typebot`,
              Buffer.from(
                `{"edges":[],"groups":[{"id":"${name}","blocks":[{"id":"${name}","type":"${name}"},{"id":"a","type":"text input"}]}]}`,
              ),
            ],
          ]),
        ),
      ),
  ],
  [
    'a file that is no text in UTF-8 is stored in part',
    async (scene) => {
      const { quizzes } = await scene.client.quizzes.list()
      const file = Buffer.from('{"format":"quizaine-quiz","schema_version":3,"quiz":{"name":"é"}}')
      const successes = await sendEach(
        [
          Buffer.from(file.toString(), 'utf16le'),
          utf16(file.toString()),
          Buffer.from(file.toString(), 'latin1'),
          Buffer.concat([file, Buffer.from([0xff])]),
          Buffer.concat([file, Buffer.alloc(10 * MEGABYTE, 0x20)]),
          Buffer.from('['.repeat(10 * MEGABYTE)),
          Buffer.alloc(10 * MEGABYTE, '"'),
          Buffer.from(`"${'a'.repeat(10 * MEGABYTE)}"`),
        ],
        (body) => importFile(scene, body),
        expectStatus(400, 422),
      )
      const after = (await scene.client.quizzes.list()).quizzes
      return after.length === quizzes.length ? successes : [...successes, 'a quiz is created']
    },
  ],
  [
    'a compressed file or another charset is taken',
    (scene) =>
      sendEach(
        [
          { 'content-encoding': 'gzip' },
          { 'content-encoding': 'br' },
          { 'content-type': 'application/json; charset=utf-16' },
          { 'content-type': 'application/json; charset=iso-8859-1' },
          { 'content-type': 'text/csv' },
        ],
        (headers) => importFile(scene, Buffer.from('{}'), headers),
        ({ status, text }) =>
          status === 415 || (status >= 400 && /JSON|UTF-8|questionnaire/.test(text))
            ? undefined
            : `status ${status}`,
      ),
  ],
  [
    'a text with names of the prototype or control characters is stored in part',
    async ({ client }) => {
      const before = (await client.quizzes.list()).quizzes.length
      let nb_created = 0
      for (const name of [...PROTOTYPE_NAMES, '\u001b[2J', '\u202e', '\u0085']) {
        const text = `# ${name}\n${name} : ${name}\nType : ${name}\n`
        const isCreated = await client.quizzes.importText({ body: { text } }).then(
          () => true,
          () => false,
        )
        if (isCreated) nb_created += 1
      }
      const after = (await client.quizzes.list()).quizzes.length
      return nb_created > 0 || after !== before ? [`${nb_created} wrong texts are stored`] : []
    },
  ],
]

/** Attacks through imported files. */
export const importedFiles = createSceneAttacks(openQuizScene, IMPORT_ATTACKS)
