import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Sorting } from '#domain/statistics/participant-sort.ts'
import { readCursor, writeCursor } from './responses.store.ts'

test('a cursor supports names with any characters', () => {
  const sorting: Sorting = { sort: 'result', order: 'asc' }
  const place = { exact_created_at: '2026-03-01T10:00:00.000000Z', participant_uuid: randomUUID() }
  for (const value of ['deux\u2028lignes', 'deux\u2029parties', 'a\r\nb']) {
    const cursor = { ...place, value }
    assert.deepEqual(readCursor(writeCursor(cursor, sorting), sorting), cursor)
  }
})
