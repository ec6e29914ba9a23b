import { test } from 'node:test'
import { PROOFS, proveOwnership } from '#server/testing/ownership/prove.ts'

for (const [set, proofs] of Object.entries(PROOFS))
  for (const [name, proof] of Object.entries(proofs))
    test(`${set}: ${name}`, () => proveOwnership([proof]))
