import { test } from 'node:test'
import { proveIsolation } from './testing/ownership/prove-isolation.ts'

test('two creators on one server can neither see nor change each other’s data', () =>
  proveIsolation())
