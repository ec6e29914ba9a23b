import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { closureOf, importsOf, loadedPackagesOf, ROOT as root } from './imports.ts'

/**
 * Checks that files of the server import only from their own folder and from folders before it in the list of ARCHITECTURE.md.
 * Also checks that product code does not import test helpers, that the server and the programs of operators load no package
 * that a production installation leaves out, and that one file calls `String.normalize` and one React's `lazy`. Biome checks
 * import cycles, and the order domain ← contract ← server | web.
 */

const INTRODUCTION = 'Inside the server, each folder imports only the folders before it.'
const IS_FOR_TESTS = /\/testing\/|\.(?:test|spec)\.tsx?$/

/** Reads the rings: folders and files between the arrows of the first code block after the introduction. */
const readRings = (): string[][] => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [, rest] = text.split(INTRODUCTION)
  const list = rest?.split('```')[1]
  if (list === undefined) throw new Error(`ARCHITECTURE.md has no list after « ${INTRODUCTION} »`)
  return list
    .replace(/^text/, '')
    .split('→')
    .map((ring) => ring.split(',').map((name) => name.trim()))
}

const rings = readRings()

/**
 * Returns the listed folder of a file and the index of its ring; undefined if the list has no such folder. The longest
 * folder name counts, so that `auth/web3` can follow `auth`.
 */
const placeOf = (file: string): { name: string; ring: number } | undefined => {
  const matches = rings.flatMap((names, ring) =>
    names
      .filter((name) => file === `server/${name}` || file.startsWith(`server/${name}/`))
      .map((name) => ({ name, ring })),
  )
  return matches.toSorted((left, right) => right.name.length - left.name.length)[0]
}

/** Returns true if a file may import another: from its own folder, or from one of an earlier ring. */
const isInOrder = (file: string, imported: string): boolean => {
  const [place, source] = [placeOf(file), placeOf(imported)]
  return !place || !source || source.name === place.name || source.ring < place.ring
}

/** Modules that one file of the server may import, because their work needs the limits that this file sets. */
const SINGLE_IMPORTERS: Record<string, string> = {
  'contract/parse-rich-text.ts': 'server/version-tasks/parse-texts.ts',
  'server/version-tasks/parse-texts.ts': 'server/rich-texts/text-parser.ts',
}
/** File that loads all tasks in threads. */
const THREAD_TASKS = 'server/heavy-work/thread-tasks.ts'

/** Returns true if a file of the server imports a module whose only importer is another file. */
const isSecondImporter = (file: string, imported: string): boolean => {
  const importer = SINGLE_IMPORTERS[imported]
  return (
    importer !== undefined && file.startsWith('server/') && ![importer, THREAD_TASKS].includes(file)
  )
}

/** Returns the reason why an import is not allowed; undefined if it is allowed. */
const findProblem = (file: string, imported: string): string | undefined => {
  if (IS_FOR_TESTS.test(imported)) return 'which is for tests'
  if (isSecondImporter(file, imported)) return `which only ${SINGLE_IMPORTERS[imported]} imports`
  return isInOrder(file, imported) ? undefined : 'which does not come before it in ARCHITECTURE.md'
}

/** The only file that may call `String.normalize`, whose time is quadratic on long runs of combining marks. */
const NORMALIZER = 'domain/common/normalize-text.ts'
const unbounded = globSync('**/*.{ts,tsx}', { cwd: join(root, 'src') })
  .filter((file) => file !== NORMALIZER && !/\.test\.tsx?$/.test(file))
  .filter((file) => /\.\s*normalize\s*\(/.test(readFileSync(join(root, 'src', file), 'utf8')))
  .map((file) => `src/${file} calls String.normalize: call normalizeText of src/${NORMALIZER}`)

/** The only file that may import React's `lazy`, because `lazy` remembers a failed download as long as the page is open. */
const LAZY_LOADER = 'web/ui/feedback/lazy-part.tsx'
const IMPORTS_LAZY = /import\s[^'"]*\blazy\b[^'"]*from\s*['"]react['"]|\bReact\s*\.\s*lazy\b/
const unretried = globSync('web/**/*.{ts,tsx}', { cwd: join(root, 'src') })
  .filter((file) => file !== LAZY_LOADER)
  .filter((file) => IMPORTS_LAZY.test(readFileSync(join(root, 'src', file), 'utf8')))
  .map((file) => `src/${file} uses React.lazy: call lazyPart or lazyScreen of src/${LAZY_LOADER}`)

const missing = rings
  .flat()
  .filter((name) => !existsSync(join(root, 'src/server', name)))
  .map((name) => `ARCHITECTURE.md names src/server/${name}, which does not exist`)
const problems = globSync('**/*.{ts,tsx}', { cwd: join(root, 'src') })
  .filter((file) => !IS_FOR_TESTS.test(file) && !file.endsWith('.d.ts'))
  .flatMap((file) => {
    const isPlaced = !file.startsWith('server/') || placeOf(file) !== undefined
    const refused = importsOf(join('src', file)).flatMap((path) => {
      const imported = relative('src', path)
      const problem = findProblem(file, imported)
      return problem ? `src/${file} imports ${imported}, ${problem}` : []
    })
    return isPlaced ? refused : [`ARCHITECTURE.md gives src/${file} no place`, ...refused]
  })

const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}
/** Programs that operators start in an installation or in the image (docs/operations.md), besides the server and the worker. */
const OPERATOR_PROGRAMS = [
  'audit-log',
  'backup',
  'move',
  'partition',
  'production/check-versions',
  'restore',
  'secrets-rotate',
  'seed',
  'stats-verify',
].map((name) => `scripts/${name}.ts`)
/** Program that `npm start` runs first. It loads the packages of the build later, if the built files are stale. */
const START_PROGRAM = 'scripts/build.ts'

const operated = [
  ...closureOf(OPERATOR_PROGRAMS),
  ...closureOf([START_PROGRAM], { follows_lazy: false }),
]
const unshipped = operated
  .filter((file) => !/^(?:src|scripts|package\.json$)/.test(file) || IS_FOR_TESTS.test(file))
  .map((file) => `${file} is loaded by a program of operators, which may import src and scripts`)
const served = globSync('src/{domain,contract,server}/**/*.ts', { cwd: root }).filter(
  (file) => !IS_FOR_TESTS.test(file) && !file.endsWith('.d.ts'),
)
const left_out = [...new Set([...served, ...operated])]
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) =>
    loadedPackagesOf(file)
      .filter((name) => !(name in dependencies))
      .map((name) => `${file} loads ${name}, which is not in the dependencies of package.json`),
  )

const found = [...missing, ...problems, ...unbounded, ...unretried, ...unshipped, ...left_out]
for (const line of found) process.stderr.write(`${line}\n`)
if (found.length > 0) process.exitCode = 1
