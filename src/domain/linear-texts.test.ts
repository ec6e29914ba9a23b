import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import Papa from 'papaparse'
import { assertLinear } from './testing/linear-time.ts'
import { STRANGER_TEXTS } from './testing/stranger-texts.ts'

// Runs in test:all, because it measures each function of the domain on long texts.

/** Longest text, in UTF-16 units. Quadratic time takes seconds at this length. */
const LONGEST = 60_000
const FOLDER = import.meta.dirname
const isProduct = (path: string): boolean => !/\.test\.ts$|(^|\/)testing\//.test(path)

/** First parameter of an exported function that takes a text; other parameters are not given. */
const TEXT_FUNCTION =
  /^export const (\w+) = \(\s*(\w+): (?:string|unknown)(?: \| (?:null|undefined))*\b/gm
/** Minimum number of functions, so that a change of style does not empty the test. */
const MIN_FUNCTIONS = 90

type TextFunction = { name: string; run: (text: string) => unknown }

const READING = { now: 0, time_zone: 'Europe/Paris' }
const NO_VALUES = { person: {}, chosen: {} }
const SCALE = { id: 'q', type: 'scale', text: 'Note ?', answers: [], scale_min: 0, scale_max: 10 }
const COLORS = { background: '#ffffff', text: '#112233' }

/** Values of the further parameters of a function, where these have no default. */
const FURTHER: Record<string, unknown[]> = {
  withFullYear: [{ is_birthday: true, this_year: 2026 }],
  shortenText: [50],
  cutText: [50],
  excerpt: [50],
  checkLength: [50],
  checkFilled: [50],
  escapeText: ['line'],
  convertFile: ['fichier.json', Papa.parse],
  readResponsesCsv: ['fichier.csv', Papa.parse],
  isResponsesCsv: [Papa.parse],
  readFirstCell: [Papa.parse],
  readCsvRows: [2_000, Papa.parse],
  rowsOfText: [Papa.parse],
  repairAnswer: [new Set<string>()],
  assistantCorrections: [[]],
  isSameField: ['AGENDA'],
  isSameEmail: ['camille@exemple.fr'],
  normalizeWithin: [LONGEST],
  fillInsertions: [{}],
  fillAddress: [{}],
  readNumber: [{ least: 0, most: 10, expected: 'un nombre' }],
  withTimeZone: ['Europe/Paris'],
  closingSentence: [READING],
  openingSentence: [READING],
  weekdayInWords: [READING],
  unopenedText: [{ ...READING, time_zone_name: 'Paris' }],
  contrastRatio: ['#112233'],
  nearestReadable: ['#112233', 4.5],
  overlayOpacity: ['#112233'],
  pictureBackground: [COLORS],
  consentGaps: [['result']],
  linkRowOf: [[SCALE], SCALE, NO_VALUES],
  writePrefilledLink: [[SCALE], { person: {}, chosen: { q: '5' } }],
  readPhone: ['FR', parsePhoneNumberFromString],
}

const functionsOf = async (path: string): Promise<TextFunction[]> => {
  const names = [...readFileSync(join(FOLDER, path), 'utf8').matchAll(TEXT_FUNCTION)].map(
    ([, name = '']) => name,
  )
  if (names.length === 0) return []
  const members: Record<string, unknown> = await import(join(FOLDER, path))
  return names.flatMap((name) => {
    const run = members[name]
    if (typeof run !== 'function') return []
    return [{ name: `${name} (${path})`, run: (text) => run(text, ...(FURTHER[name] ?? [])) }]
  })
}

const paths = globSync('**/*.ts', { cwd: FOLDER }).filter(isProduct).toSorted()
const functions = (await Promise.all(paths.map(functionsOf))).flat()

test('the functions of the domain that take a text are found', () =>
  assert.ok(functions.length >= MIN_FUNCTIONS, `${functions.length} functions`))

/** Calls a function. A refusal is an answer too, because only the time counts. */
const callAnyway = ({ run }: TextFunction, text: string): void => {
  try {
    run(text)
  } catch {}
}

test('each function gets the further parameters that it needs', () => {
  const incomplete = functions.filter(({ run }) => {
    try {
      run('Bonjour')
    } catch (error) {
      return error instanceof TypeError
    }
    return false
  })
  assert.deepEqual(
    incomplete.map(({ name }) => name),
    [],
  )
})

describe('functions on the texts of strangers take linear time', () => {
  for (const called of functions)
    test(`${called.name} takes linear time for every shape of text`, () => {
      for (const [shape, make] of Object.entries(STRANGER_TEXTS))
        try {
          assertLinear((text) => callAnyway(called, text), make, LONGEST)
        } catch (error) {
          assert.fail(`${shape}: ${String(error)}`)
        }
    })
})
