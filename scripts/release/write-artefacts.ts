import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LICENCES_FILE } from '../licences/write-licences.ts'
import { buildImage } from './build-image.ts'
import { createSbom } from './create-sbom.ts'
import { runProgram } from './run-program.ts'

/** Returns the sources of a tag as a compressed archive. The command gives the same bytes each time with the same git. */
const archiveTag = (root: string, tag: string, prefix: string): Buffer => {
  const settings = ['-c', 'tar.umask=0022', '-c', 'core.attributesFile=/dev/null']
  const args = ['archive', '--format=tar.gz', `--prefix=${prefix}/`, tag]
  return runProgram('git', [...settings, ...args], { cwd: root })
}

/** Writes the SHA-256 of each file of a folder, for `sha256sum --check`. */
const writeSums = (folder: string): void => {
  const lines = readdirSync(folder)
    .sort()
    .map((name) => {
      const digest = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
      return `${digest}  ${name}\n`
    })
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

/**
 * Writes the files of a release to an empty folder: sources, SBOM, licences, image and their sums. `has_image` false leaves the
 * image out. Throws if the archive differs when it is made again.
 */
export const writeArtefacts = ({
  root,
  version,
  folder,
  has_image,
}: {
  root: string
  version: string
  folder: string
  has_image: boolean
}): void => {
  const name = `quizaine-${version}`
  const archive = join(folder, `${name}.tar.gz`)
  const sources = archiveTag(root, `v${version}`, name)
  if (!sources.equals(archiveTag(root, `v${version}`, name)))
    throw new Error('git archive gives other bytes the second time')
  writeFileSync(archive, sources)
  writeFileSync(join(folder, `${name}.cdx.json`), createSbom(root))
  copyFileSync(join(root, LICENCES_FILE), join(folder, `${name}-licences.txt`))
  if (has_image) {
    const file = join(folder, `${name}-image.tar`)
    if (!buildImage({ archive, tag: `quizaine:${version}`, file }))
      console.log('No engine runs here (podman, buildah or docker): the image is left out.')
  }
  writeSums(folder)
}
