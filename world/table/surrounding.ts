import type { Surface } from './features.ts'

/** Tests that use features in a surrounding. */
type Proof = {
  /** Names of the features; `all` means every feature with a part that the surrounding touches. */
  features: 'all' | readonly string[]
  /** Test files from the root of the repository. */
  tests: readonly string[]
}

/** Circumstances in which every feature must work. */
export type Surrounding = {
  /** Short name, which heads a column of docs/world.md. */
  name: string
  description: string
  /** Parts of features that the surrounding touches. */
  touches: readonly Surface[]
  proofs: readonly Proof[]
  /** Features that are not tried in this surrounding, with the reason. */
  gaps?: readonly { features: readonly string[]; reason: string }[]
}
