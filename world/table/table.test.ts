import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { api } from '#contract/api.ts'
import { listIdleProofs, listMissingCells, listWorldTests } from './cells.ts'
import { FEATURES } from './features.ts'
import { renderWorldPage } from './render-table.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test('every feature of ARCHITECTURE.md is in the table', () => {
  const [, table = ''] = read('ARCHITECTURE.md').split('## Features by ring')
  const [, rows = ''] = table.split('\n\n')
  const names = rows
    .split('\n')
    .slice(2)
    .map((row) => row.split('|')[1]?.trim())
  assert.deepEqual(
    FEATURES.map(({ name }) => name),
    names,
  )
})

test('every group of calls belongs to one feature', () => {
  const groups = FEATURES.flatMap(({ calls = [] }) => calls)
  assert.deepEqual(groups.toSorted(), Object.keys(api).toSorted())
})

test('every screen of the router belongs to one feature', () => {
  const paths = [...read('src/web/app/router.tsx').matchAll(/<Route path="(\/[^"]*)"/g)].map(
    ([, path]) => path,
  )
  const screens = FEATURES.flatMap((feature) => feature.screens ?? [])
  assert.deepEqual(screens.toSorted(), paths.toSorted())
})

test('every feature is tried in each surrounding that meets it, or is named as a gap', () => {
  assert.deepEqual(listMissingCells(), [])
  assert.deepEqual(listIdleProofs(), [])
})

test('every test of the table exists', () =>
  assert.deepEqual(
    listWorldTests().filter((file) => !existsSync(join(ROOT, file))),
    [],
  ))

test('docs/world.md has the table and every text field; npm run world writes it', () =>
  assert.equal(read('docs/world.md'), renderWorldPage()))
