import { test } from 'node:test'
import { proveIsolation } from './testing/ownership/prove-isolation.ts'

// Runs in test:all, because it repeats its rule for every call of the contract.

test('two creators on one server can neither see nor change each other’s data', () =>
  proveIsolation())
