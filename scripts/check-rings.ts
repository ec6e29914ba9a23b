import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The rings of the server, the lowest first: a file imports its own ring and those before it. Circles, and
 * domain ← contract ← server | web, are the linter's (biome.json).
 */
const RINGS = [
  ['runtime/', 'config', 'log.ts', 'sealing.ts', 'secret-key.ts', 'uuid.ts', 'stop-signal.ts'],
  ['db/'],
  ['http/'],
  ['audit/'],
  ['mails/', 'social-image/'],
  ['auth/'],
  ['account/'],
  ['quizzes/'],
  ['integrations/'],
  ['taking/'],
  ['statistics/'],
  ['exports/'],
  ['deliveries/'],
  ['backup/'],
  ['legal/'],
  // Plugins, which app.ts alone knows of.
  ['auth/phones/', 'auth/web3/'],
  ['access.ts', 'app.ts', 'main.ts', 'worker-main.ts', 'rotate-secrets.ts'],
]

const ringOf = (file: string): number =>
  RINGS.findLastIndex((ring) => ring.some((start) => file.startsWith(start)))

/** The files of the server that a file names, types included, from src/server on. */
const importsOf = (root: string, file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\() ?'([#.][^']+)'/g)]
    .map(([, name = '']) => (name.startsWith('.') ? join(dirname(file), name) : name))
    .map((name) => name.replace(/^#server\//, ''))
    .filter((name) => !name.startsWith('#'))

const root = join(import.meta.dirname, '../src/server')
const files = globSync('**/*.ts', { cwd: root }).filter(
  (file) => !/^testing\/|\.(?:test|spec|d)\.ts$/.test(file),
)
const upward = files.flatMap((file) =>
  ringOf(file) < 0
    ? `${file} is in no ring`
    : importsOf(root, file)
        .filter((name) => ringOf(name) < 0 || ringOf(name) > ringOf(file))
        .map((name) => `${file} imports ${name}`),
)
for (const line of upward) process.stderr.write(`src/server: ${line}\n`)
if (upward.length > 0) process.exitCode = 1
