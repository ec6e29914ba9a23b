import { test } from 'node:test'
import { PROOFS, proveOwnership } from './testing/ownership/prove-ownership.ts'

for (const [set, proofs] of Object.entries(PROOFS))
  test(`no creator can reach another creator’s objects in ${set}`, () =>
    proveOwnership(Object.values(proofs)))
