import { test } from 'node:test'
import { proveIsolation } from './testing/ownership/isolation.ts'

test('two creators on one server neither see nor change anything of each other', () =>
  proveIsolation())
