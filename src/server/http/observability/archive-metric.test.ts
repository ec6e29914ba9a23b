import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countUnarchivedBytes } from './archive-metric.ts'

const SEGMENT = 16_777_216
const segment_bytes = String(SEGMENT)
const count = (wal_position: string | null, last_archived_wal: string | null) =>
  countUnarchivedBytes({ wal_position, last_archived_wal, segment_bytes })

describe('WAL that is not archived yet', () => {
  test('a server without an archive has no figure', () => {
    assert.equal(count(null, null), undefined)
  })
  test('the current segment counts from the end of the last archived segment', () => {
    assert.equal(count('0/5000000', '000000010000000000000004'), 0)
    assert.equal(count('0/5000100', '000000010000000000000004'), 256)
    assert.equal(count('0/8000000', '000000010000000000000004'), 3 * SEGMENT)
  })
  test('positions above 4 GB are counted with their upper half', () => {
    assert.equal(count('2/1000000', '0000000300000001000000FF'), SEGMENT)
    assert.equal(count('1/FF000010', '0000000300000001000000FE'), 16)
  })
  test('a backup label counts as its segment', () => {
    assert.equal(count('0/6000000', '000000010000000000000004.00000028.backup'), SEGMENT)
  })
  test('without an archived segment, all WAL counts', () => {
    assert.equal(count('0/2000000', null), 2 * SEGMENT)
    assert.equal(count('0/2000000', '00000002.history'), 2 * SEGMENT)
  })
  test('a position within the last archived segment counts as archived', () => {
    assert.equal(count('0/4800000', '000000010000000000000004'), 0)
  })
})
