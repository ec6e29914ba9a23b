import { test } from 'node:test'
import { PROOFS, proveOwnership } from './testing/ownership/prove-ownership.ts'

// Runs in test:all, because it repeats its rule for every call of the contract.

for (const [set, proofs] of Object.entries(PROOFS))
  test(`no creator can reach another creator’s objects in ${set}`, () =>
    proveOwnership(Object.values(proofs)))
