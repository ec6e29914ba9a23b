import { test } from 'node:test'
import { proveIsolation } from './testing/ownership/isolation.ts'

test('two creators on one server read and write as if each were alone', () => proveIsolation())
