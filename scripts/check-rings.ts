import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The rings of the server, the lowest first: a file imports its own ring and those before it. Circles, and
 * domain ← contract ← server | web, are the linter's (biome.json).
 */
const RINGS = [
  ['runtime/', 'config/'],
  ['db/'],
  ['http/'],
  ['audit/'],
  ['mails/', 'social-image/', 'outbound-http/'],
  ['auth/'],
  ['images/'],
  ['account/'],
  ['quizzes/'],
  ['quiz-files/'],
  ['integrations/'],
  ['automations/'],
  ['published-versions/', 'responses/', 'public-quiz/'],
  ['erasures/'],
  ['statistics/'],
  ['exports/'],
  ['webhooks/', 'quiz-mails/'],
  ['deliveries/'],
  ['trial-runs/'],
  ['backup/'],
  ['legal/', 'api-guide/'],
  // Optional plugins, which only app.ts imports.
  ['auth/phones/', 'auth/web3/'],
  ['access.ts', 'app.ts', 'main.ts', 'worker-main.ts', 'rotate-secrets.ts'],
].map((ring) => ring.map((start) => `server/${start}`))

const ringOf = (file: string): number =>
  RINGS.findLastIndex((ring) => ring.some((start) => file.startsWith(start)))

const IS_OF_TESTS = /\/testing\/|\.(?:test|spec)\.tsx?$/
const root = join(import.meta.dirname, '../src')

/** The files of ours that a file names, types included. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\() ?'([#.][^']+)'/g)].map(
    ([, name = '']) => (name.startsWith('#') ? name.slice(1) : join(dirname(file), name)),
  )

/** Why a file may not import another one; undefined when it may. */
const refusal = (file: string, imported: string): string | undefined => {
  if (IS_OF_TESTS.test(imported)) return 'which is for tests'
  const isServer = file.startsWith('server/') && imported.startsWith('server/')
  return isServer && ringOf(imported) > ringOf(file) ? 'which stands above it' : undefined
}

const found = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !IS_OF_TESTS.test(file) && !file.endsWith('.d.ts'))
  .flatMap((file) => {
    const isPlaced = !file.startsWith('server/') || ringOf(file) >= 0
    const refused = importsOf(file).flatMap((imported) => {
      const why = refusal(file, imported)
      return why ? `src/${file} imports ${imported}, ${why}` : []
    })
    return isPlaced ? refused : [`src/${file} is in no ring`, ...refused]
  })
for (const line of found) process.stderr.write(`${line}\n`)
if (found.length > 0) process.exitCode = 1
