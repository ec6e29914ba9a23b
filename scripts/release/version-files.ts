import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CHANGELOG = 'CHANGELOG.md'
const HEADING = '## Unreleased\n'

/** Files besides package.json that contain the version of the product, with its pattern. A release keeps the first group of the pattern. */
const OTHER_PLACES = [
  { file: 'ops/helm/quizaine/Chart.yaml', pattern: /^(appVersion: ).+$/gm },
  { file: 'docs/hosts/kubernetes.md', pattern: /(registry\.example\/quizaine:)[\w.-]+/g },
]

/** Files that a release changes. */
export const VERSION_FILES = [
  'package.json',
  'package-lock.json',
  CHANGELOG,
  ...OTHER_PLACES.map(({ file }) => file),
]

/** Returns the version in package.json. */
export const readPresentVersion = (root: string): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version

/** Returns the text before the section « Unreleased », the section, and the text after it. Throws if there is no section. */
const splitChangelog = (text: string): { before: string; section: string; rest: string } => {
  const start = text.indexOf(HEADING)
  if (start < 0) throw new Error(`${CHANGELOG} has no section « Unreleased »`)
  const from = start + HEADING.length
  const next = text.indexOf('\n## ', from - 1)
  const end = next < 0 ? text.length : next + 1
  return { before: text.slice(0, start), section: text.slice(from, end), rest: text.slice(end) }
}

/** Returns the lines that the changelog has for the next release; empty if there are none. */
export const readUnreleased = (root: string): string =>
  splitChangelog(readFileSync(join(root, CHANGELOG), 'utf8')).section.trim()

/** Adds a line to the section « Unreleased ». */
export const addUnreleased = (root: string, line: string): void => {
  const file = join(root, CHANGELOG)
  const { before, section, rest } = splitChangelog(readFileSync(file, 'utf8'))
  const lines = [section.trim(), line].filter(Boolean).join('\n')
  writeFileSync(file, `${before}${HEADING}\n${lines}\n\n${rest}`)
}

/** Gives the section « Unreleased » a version and a day (`2026-11-30`), below a new empty section. */
const writeChangelog = (root: string, version: string, day: string): void => {
  const file = join(root, CHANGELOG)
  const { before, section, rest } = splitChangelog(readFileSync(file, 'utf8'))
  const released = `## ${version} – ${day}\n\n${section.trim()}\n`
  writeFileSync(file, [`${before}${HEADING}`, released, rest].filter(Boolean).join('\n'))
}

/** Writes a version into every file that names it, and into the changelog with the day of the release. */
export const writeVersion = (root: string, version: string, day: string): void => {
  // Changes package.json and package-lock.json only.
  const options = ['--no-git-tag-version', '--ignore-scripts']
  execFileSync('npm', ['version', version, ...options], { cwd: root, stdio: 'pipe' })
  for (const { file, pattern } of OTHER_PLACES) {
    const text = readFileSync(join(root, file), 'utf8')
    if (text.search(pattern) < 0) throw new Error(`${file} names no version`)
    writeFileSync(
      join(root, file),
      text.replaceAll(pattern, (_, kept: string) => `${kept}${version}`),
    )
  }
  writeChangelog(root, version, day)
}
