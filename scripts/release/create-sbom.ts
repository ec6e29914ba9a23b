import { createHash } from 'node:crypto'
import { findBrowserPackages } from '../licences/find-packages.ts'
import { git, runProgram } from './run-program.ts'

type Property = { name: string; value: string }
type Component = {
  'bom-ref': string
  name: string
  group?: string
  version: string
  scope?: string
  properties?: Property[]
}
/** The parts of a CycloneDX document that we read or change (https://cyclonedx.org/docs/1.5/json). */
type Sbom = {
  serialNumber: string
  metadata: { timestamp: string; component: { 'bom-ref': string; name: string; type: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** Property of npm for packages that production installations leave out. */
const DEVELOPMENT = 'cdx:npm:package:development'
/** Property of ours for packages whose code reaches the browser. */
const BROWSER = { name: 'quizaine:reaches', value: 'browser' }

/** Returns a UUID of version 8 that depends on the text alone. */
const uuidOf = (text: string): string => {
  const digits = createHash('sha256').update(text).digest('hex').slice(0, 32).split('')
  digits[12] = '8'
  digits[16] = 'a'
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Returns the CycloneDX document of a built folder: the production packages of package-lock.json on all platforms, and the
 * packages whose code reaches the browser. The same commit gives the same bytes.
 */
export const createSbom = (root: string): string => {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const sbom = JSON.parse(runProgram('npm', args, { cwd: root }).toString('utf8')) as Sbom
  const bundled = new Set(
    findBrowserPackages(root).map(({ name, version }) => `${name}@${version}`),
  )
  const components = sbom.components.flatMap((component) => {
    const { group, name, version, properties = [] } = component
    const reaches_browser = bundled.has(`${group ? `${group}/` : ''}${name}@${version}`)
    const kept = properties.filter((one) => one.name !== DEVELOPMENT)
    if (!reaches_browser) return kept.length === properties.length ? [component] : []
    return [{ ...component, scope: 'required', properties: [...kept, BROWSER] }]
  })
  const refs = new Set(components.map((component) => component['bom-ref']))
  refs.add(sbom.metadata.component['bom-ref'])
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  const timestamp = new Date(git(root, 'log', '-1', '--format=%cI')).toISOString()
  // npm names the component after its folder.
  const component = { ...sbom.metadata.component, name: 'quizaine', type: 'application' }
  const metadata = { ...sbom.metadata, timestamp, component }
  const content = { ...sbom, metadata, components, dependencies }
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify({ ...content, serialNumber: '' }))}`
  return `${JSON.stringify({ ...content, serialNumber }, null, 2)}\n`
}
