/**
 * Makes a release of the committed state: `npm run release -- VERSION [--no-image]`. With `--check`, makes the next
 * release in a temporary clone and removes it, so that CI learns what would fail. docs/releases.md
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fail } from '../fail.ts'
import { ROOT } from '../imports.ts'
import { makeRelease } from './make-release.ts'
import { git } from './run-program.ts'
import { addUnreleased, readPresentVersion, readUnreleased } from './version-files.ts'
import { nextMinor } from './versions.ts'

const USAGE = 'npm run release -- VERSION [--no-image], or npm run release -- --check [VERSION]'

/** Creates a clone of the committed state with the packages and the built files of this folder. */
const createClone = (folder: string): string => {
  const root = join(folder, 'quizaine')
  git(ROOT, 'clone', '--quiet', ROOT, root)
  git(root, 'config', 'user.name', 'Check of releases')
  git(root, 'config', 'user.email', 'check@localhost')
  git(root, 'config', 'commit.gpgSign', 'false')
  git(root, 'config', 'tag.gpgSign', 'false')
  // A link is no folder, which .gitignore names.
  writeFileSync(join(root, '.git/info/exclude'), '/node_modules\n')
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  if (existsSync(join(ROOT, 'dist')))
    cpSync(join(ROOT, 'dist'), join(root, 'dist'), { recursive: true })
  return root
}

/** Makes a release in a temporary clone and returns the names of its files. Builds no image, which takes minutes. */
const checkRelease = (version: string | undefined): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-release-'))
  try {
    const root = createClone(folder)
    if (readUnreleased(root) === '') {
      // Soon after a release, nothing is unreleased.
      addUnreleased(root, '- A line for the check.')
      git(root, 'commit', '--quiet', '--all', '--message', 'check')
    }
    makeRelease({ root, version: version ?? nextMinor(readPresentVersion(root)), has_image: false })
    return readdirSync(join(root, 'release'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// Ctrl+C ends the program that runs at the moment, and its failure undoes the release.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

try {
  const { values, positionals } = parseArgs({
    options: { check: { type: 'boolean' }, 'no-image': { type: 'boolean' } },
    allowPositionals: true,
  })
  const [version, ...others] = positionals
  if (others.length > 0 || (version === undefined && !values.check)) throw new Error(USAGE)
  if (values.check) {
    console.log(`A release would have: ${checkRelease(version).join(', ')}`)
  } else if (version !== undefined) {
    makeRelease({ root: ROOT, version, has_image: !values['no-image'] })
    console.log(readdirSync(join(ROOT, 'release')).join('\n'))
    console.log(`Release ${version} is in release/. Publish it: git push --follow-tags`)
  }
} catch (error) {
  fail(error)
}
