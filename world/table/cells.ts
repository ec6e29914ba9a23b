import { FEATURES, type Feature } from './features.ts'
import { PAGE_SURROUNDINGS } from './page-surroundings.ts'
import type { Surrounding } from './surrounding.ts'
import { TEXT_SURROUNDINGS } from './text-surroundings.ts'

/** Surroundings of the product. Each part of a feature that one touches needs a proof or a gap. */
export const SURROUNDINGS: readonly Surrounding[] = [...PAGE_SURROUNDINGS, ...TEXT_SURROUNDINGS]

/** How a feature is tried in a surrounding. */
export type Cell =
  /** No part of the feature meets the surrounding. */
  | { kind: 'not_applicable' }
  | { kind: 'tried'; tests: readonly string[] }
  | { kind: 'gap'; reason: string }
  /** Neither tried nor named as a gap, which fails the run. */
  | { kind: 'missing' }

/** Returns how a feature is tried in a surrounding. */
export const cellOf = (feature: Feature, surrounding: Surrounding): Cell => {
  if (!feature.surfaces.some((surface) => surrounding.touches.includes(surface)))
    return { kind: 'not_applicable' }
  const tests = surrounding.proofs
    .filter(({ features }) => features === 'all' || features.includes(feature.name))
    .flatMap((proof) => proof.tests)
  if (tests.length > 0) return { kind: 'tried', tests: [...new Set(tests)] }
  const gap = surrounding.gaps?.find(({ features }) => features.includes(feature.name))
  return gap ? { kind: 'gap', reason: gap.reason } : { kind: 'missing' }
}

/** Returns the test files of all surroundings, sorted. */
export const listWorldTests = (): string[] =>
  [...new Set(SURROUNDINGS.flatMap(({ proofs }) => proofs.flatMap(({ tests }) => tests)))].sort()

/** Returns a sentence for each feature that is neither tried nor a gap in a surrounding. */
export const listMissingCells = (): string[] =>
  SURROUNDINGS.flatMap((surrounding) =>
    FEATURES.filter((feature) => cellOf(feature, surrounding).kind === 'missing').map(
      ({ name }) => `« ${name} » is not tried in « ${surrounding.name} »`,
    ),
  )

/** Returns a sentence for each proof or gap of a feature that the surrounding does not touch or that does not exist. */
export const listIdleProofs = (): string[] =>
  SURROUNDINGS.flatMap((surrounding) =>
    [...surrounding.proofs, ...(surrounding.gaps ?? [])]
      .flatMap(({ features }) => (features === 'all' ? [] : features))
      .filter((name) => {
        const feature = FEATURES.find((candidate) => candidate.name === name)
        return !feature || cellOf(feature, surrounding).kind === 'not_applicable'
      })
      .map(
        (name) => `« ${surrounding.name} » has a proof for « ${name} », which it does not touch`,
      ),
  )
