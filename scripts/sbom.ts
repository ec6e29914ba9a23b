/** Prints the CycloneDX document of the built product: production packages, and those whose code reaches the browser. */
import { fail } from './fail.ts'
import { ROOT } from './imports.ts'
import { createSbom } from './release/create-sbom.ts'

try {
  process.stdout.write(createSbom(ROOT))
} catch (error) {
  fail(error)
}
