import { test } from 'node:test'
import { PROOFS, proveOwnership } from './testing/ownership/prove.ts'

for (const [set, proofs] of Object.entries(PROOFS))
  test(`${set} are kept apart`, () => proveOwnership(Object.values(proofs)))
