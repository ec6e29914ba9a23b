import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const PRODUCT_PAGE = 'docs/product.md'
/** This file, whose examples cite what does not exist. */
const THIS_FILE = 'src/domain/cited-rules.test.ts'
/** Files that may cite a rule or a page. */
const SOURCES = [
  '*.md',
  '{docs,ops,src,e2e,scripts,bench,faults,world}/**/*.md',
  '{ops,src,e2e,scripts,bench,faults,world}/**/*.{ts,tsx,css}',
]

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const RULES = [...read(PRODUCT_PAGE).matchAll(/^- \*\*(\d+\.\d+)\*\* /gm)].map(
  ([, number = '']) => number,
)
const DECISIONS = new Set(
  readdirSync(join(ROOT, 'docs/decisions')).map((name) => name.slice(0, '000'.length)),
)

/** Returns the text on one line, without the signs that begin the lines of a comment. */
const unwrap = (text: string): string => text.replaceAll(/\s*\n\s*(?:\*(?!\*)|\/\/)?\s*/g, ' ')

const NUMBERS = String.raw`\d+\.\d+(?:(?:,| and| to) \d+\.\d+)*`

/** Returns the cited rules that do not exist. The page of the rules calls them « rule », all others « product ». */
const findUnknownRules = (file: string, text: string): string[] => {
  const word = file === PRODUCT_PAGE ? '[Rr]ules?' : 'product'
  return [...text.matchAll(new RegExp(`\\b${word} (${NUMBERS})`, 'g'))]
    .flatMap(([, numbers = '']) => numbers.match(/\d+\.\d+/g) ?? [])
    .filter((number) => !RULES.includes(number))
    .map((number) => `rule ${number}`)
}

/**
 * Returns true if the page exists, named from the folder of its file, from the repository or from `docs`. Code may build
 * a path from another folder than its own, so that a path may also begin with any number of `../`.
 */
const isPage = (file: string, page: string): boolean =>
  [join(dirname(file), page), page, join('docs', page), page.replace(/^(?:\.\.\/)+/, '')].some(
    (path) => existsSync(join(ROOT, path)),
  )

const findUnknownPages = (file: string, text: string): string[] =>
  [...text.matchAll(/(?<![\p{L}\d_./*-])(?:[\w.-]+\/)*[\w-]+\.md\b/gu)]
    .map(([page]) => page)
    .filter((page) => !isPage(file, page))

const findUnknownDecisions = (text: string): string[] =>
  [...text.matchAll(/\b(?:ADRs? |[Dd]ecisions? |docs\/decisions\/)(\d{3})\b/g)]
    .filter(([, number = '']) => !DECISIONS.has(number))
    .map(([citation]) => citation)

/** Standards, whose sections everybody can read. */
const STANDARDS = /(?:RFC \d+|ISO\/IEC [\d-]+|art\. \d+),? § ?[\d.]+/g

/** Returns citations by section or heading, which no page of the repository has. */
const findSections = (text: string): string[] => {
  const cited = text.replaceAll(STANDARDS, '')
  const sections = cited.matchAll(/.{0,20}(?<!« )§ ?\d+/g)
  const headings = cited.matchAll(
    /\b(?:spec|decisions|features|integrations|reliability) (?:«|[A-F]\.\d)[^)]{0,20}/gi,
  )
  return [...sections, ...headings].map(([citation]) => citation)
}

/** Returns the citations in the text of a file that name no rule, page or decision of the repository. */
const findUnknown = (file: string, text: string): string[] => {
  const line = unwrap(text)
  return [
    ...findUnknownRules(file, line),
    ...findUnknownPages(file, line),
    ...findUnknownDecisions(line),
    ...findSections(line),
  ]
}

const listSources = (): string[] =>
  globSync(SOURCES, { cwd: ROOT, exclude: (path) => /(?:^|\/)node_modules$/.test(path) })
    .filter((file) => file !== THIS_FILE)
    .toSorted()

describe('citations', () => {
  test('each rule of docs/product.md has its own number, in ascending order', () => {
    const parts = RULES.map((number) => number.split('.').map(Number))
    const sorted = parts.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d)
    assert.deepEqual(parts, sorted)
    assert.equal(new Set(RULES).size, RULES.length)
    assert.ok(RULES.length > 100)
  })

  const EXAMPLES: [text: string, unknown: string[]][] = [
    ['/** Returns the total (product 4.4). */', []],
    ['/** Returns the total (product 4.4,\n * 4.5). */', []],
    ['/** Returns the total (product 4.4,\n * 99.1). */', ['rule 99.1']],
    ['// Product of the rows\n// (product 99.2 and 99.3)', ['rule 99.2', 'rule 99.3']],
    ['See docs/limits.md, limits.md and ../../docs/limits.md.', []],
    ['See missing-page.md and docs/none/limits.md.', ['missing-page.md', 'docs/none/limits.md']],
    ['(docs/decisions/012, ADR 017)', []],
    ['(docs/decisions/999, ADR 998)', ['docs/decisions/999', 'ADR 998']],
    ['(RFC 5321 §4.2.1; ISO/IEC 14496-12, §4.3; art. 30 § 1) « § 4 »', []],
    ['test("a rule (§5)")', ['test("a rule (§5']],
    ['/** A rule (spec\n * §5). */', ['/** A rule (spec §5']],
    ['/** A rule (decisions «\n * The wire »). */', ['decisions « The wire »']],
    ['/** A rule (reliability C.8). */', ['reliability C.8']],
  ]
  for (const [text, unknown] of EXAMPLES)
    test(`the check of citations reads ${JSON.stringify(text)}`, () =>
      assert.deepEqual(findUnknown('src/domain/example.ts', text), unknown))

  test('every cited rule, page and decision is in the repository', () => {
    const files = listSources()
    assert.ok(files.includes(PRODUCT_PAGE) && files.includes('src/domain/run/scoring.ts'))
    const unknown = files.flatMap((file) =>
      findUnknown(file, read(file)).map((citation) => `${file}: ${citation}`),
    )
    assert.deepEqual(unknown, [])
  })
})
