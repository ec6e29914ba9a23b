import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const BUILT_FROM = [
  'src/{web,domain,contract}/**/*',
  'vite*.config.ts',
  'package-lock.json',
  'scripts/{build,budgets,compress,lean-auth}.ts',
]

/** A digest of everything the browser's files are built from, so that a build is made only when due. */
export const sourcesDigest = (root: string, variant: string): string => {
  const hash = createHash('sha256').update(variant)
  for (const pattern of BUILT_FROM) {
    const entries = globSync(pattern, { cwd: root, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    for (const file of files.map((entry) => join(entry.parentPath, entry.name)).sort())
      hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  return hash.digest('hex')
}
