import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DeliveredPackage, findDeliveredPackages } from './find-packages.ts'
import { mayDeliver } from './permitted-licences.ts'

/** File that the server sends at /licences.txt, below the folder of the repository. */
export const LICENCES_FILE = 'dist/dashboard/licences.txt'

const isFont = ({ name }: DeliveredPackage): boolean => name.startsWith('@fontsource')

/** Parts of the file, with the packages of each. */
const PARTS: { title: string; has: (one: DeliveredPackage) => boolean }[] = [
  {
    title: 'Bibliothèques que les pages contiennent',
    has: (one) => !isFont(one) && one.place === 'browser',
  },
  { title: 'Polices de caractères', has: isFont },
  {
    title: 'Bibliothèques du serveur',
    has: (one) => !isFont(one) && one.place === 'server',
  },
]

const LINE = '-'.repeat(80)

const cleanText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd()

/** Returns the reason why a package cannot be delivered; undefined if there is none. */
const findProblem = ({
  name,
  version,
  licence,
  text,
  place,
}: DeliveredPackage): string | undefined => {
  const named = `${name} ${version}`
  if (licence === undefined)
    return `${named} names no licence: read it and add it to scripts/licences/permitted-licences.ts`
  if (!mayDeliver({ name, licence, is_on_server_only: place === 'server' }))
    return `${named} has the licence ${licence}, which scripts/licences/permitted-licences.ts does not permit`
  if (text === undefined || text.trim() === '')
    return `${named} contains no text of its licence: add it to scripts/licences/missing-texts.ts`
  return undefined
}

/** Returns packages under their licences; packages with the same text share it. */
const writePart = (packages: DeliveredPackage[]): string => {
  const texts = Map.groupBy(packages, ({ text = '' }) => cleanText(text))
  return [...texts]
    .map(([text, sharing]) => {
      const names = sharing.map(({ name, version, licence }) => `${name} ${version} (${licence})`)
      return [LINE, ...names, '', text].join('\n')
    })
    .join('\n\n')
}

/**
 * Writes the licences of all packages of the built product to dist. Returns the reasons why packages cannot be delivered;
 * the file is then not written.
 */
export const writeLicences = (root: string): string[] => {
  const packages = findDeliveredPackages(root)
  const problems = packages.flatMap((one) => findProblem(one) ?? [])
  if (problems.length > 0) return problems
  const parts = PARTS.map(({ title, has }) => {
    const content = packages.filter(has)
    return `${title} (${content.length})\n\n${writePart(content)}`
  })
  const own = readFileSync(join(root, 'LICENSE'), 'utf8')
  const head = [
    'Licences des bibliothèques de Quizaine',
    'Quizaine est publié sous la licence suivante. Il contient les bibliothèques et les polices ci-dessous, sous leurs propres licences.',
    cleanText(own),
  ]
  writeFileSync(join(root, LICENCES_FILE), `${[...head, ...parts].join('\n\n\n')}\n`)
  return []
}
