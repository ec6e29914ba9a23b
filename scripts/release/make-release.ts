import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { git, runProgram } from './run-program.ts'
import { readPresentVersion, readUnreleased, VERSION_FILES, writeVersion } from './version-files.ts'
import { compareVersions } from './versions.ts'
import { writeArtefacts } from './write-artefacts.ts'

type LockFile = { packages: Record<string, { version?: string }> }
const readLock = (file: string): LockFile => JSON.parse(readFileSync(file, 'utf8')) as LockFile

/** Returns the reason why installed packages are not those of package-lock.json; undefined if they are. */
const findOtherPackage = (root: string): string | undefined => {
  const installed = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installed)) return 'no packages are installed'
  const { packages } = readLock(join(root, 'package-lock.json'))
  const other = Object.entries(readLock(installed).packages).find(
    ([path, { version }]) => packages[path]?.version !== version,
  )
  return other && `${other[0]} is installed in version ${other[1].version}`
}

/** Throws with a sentence if a release of this version cannot be made from the folder as it is. */
const checkFolder = (root: string, version: string): void => {
  const present = readPresentVersion(root)
  if (compareVersions(version, present) <= 0)
    throw new Error(`${version} is not greater than the present version ${present}`)
  const changes = git(root, 'status', '--porcelain')
  if (changes) throw new Error(`The folder has changes that are not committed:\n${changes}`)
  if (readUnreleased(root) === '')
    throw new Error('CHANGELOG.md names no change below « Unreleased »')
  if (git(root, 'tag', '--list', `v${version}`)) throw new Error(`The tag v${version} exists`)
  const other = findOtherPackage(root)
  if (other) throw new Error(`Run « npm ci » first: ${other}`)
}

/** Replaces a folder by another, which takes its name. If that fails, the folder keeps its content. */
const replaceFolder = (folder: string, next: string): void => {
  const former = `${folder}.former`
  rmSync(former, { recursive: true, force: true })
  if (existsSync(folder)) renameSync(folder, former)
  try {
    renameSync(next, folder)
  } catch (error) {
    if (existsSync(former)) renameSync(former, folder)
    throw error
  }
  rmSync(former, { recursive: true, force: true })
}

/**
 * Commits and tags a version and writes its files to `release/`. A failure leaves the commits, the tags, the files and
 * `release/` as they were, and throws.
 */
export const makeRelease = ({
  root,
  version,
  has_image,
}: {
  root: string
  version: string
  has_image: boolean
}): void => {
  checkFolder(root, version)
  // The bundles are those of the tag, which differs from this commit in names of the version only.
  runProgram(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: root })
  const before = git(root, 'rev-parse', 'HEAD')
  const tag = `v${version}`
  const next = join(root, 'release.next')
  rmSync(next, { recursive: true, force: true })
  try {
    writeVersion(root, version, new Date().toISOString().slice(0, 10))
    git(root, 'commit', '--quiet', '--message', `release: ${version}`, '--', ...VERSION_FILES)
    git(root, 'tag', '--annotate', tag, '--message', `Quizaine ${version}`)
    mkdirSync(next)
    writeArtefacts({ root, version, folder: next, has_image })
    replaceFolder(join(root, 'release'), next)
  } catch (error) {
    rmSync(next, { recursive: true, force: true })
    if (git(root, 'tag', '--list', tag)) git(root, 'tag', '--delete', tag)
    git(root, 'reset', '--quiet', '--soft', before)
    git(root, 'restore', '--staged', '--worktree', '--', ...VERSION_FILES)
    throw error
  }
}
