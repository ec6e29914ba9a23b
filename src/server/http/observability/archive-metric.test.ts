import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countUnarchivedBytes } from './archive-metric.ts'

const SEGMENT_BYTES = 16_777_216
const segment_bytes = String(SEGMENT_BYTES)
const count = (wal_position: string | null, last_archived_wal: string | null) =>
  countUnarchivedBytes({ wal_position, last_archived_wal, segment_bytes })

describe('WAL that is not archived yet', () => {
  test('a server without an archive has no value', () => {
    assert.equal(count(null, null), undefined)
  })
  test('bytes are counted from the end of the last archived segment', () => {
    assert.equal(count('0/5000000', '000000010000000000000004'), 0)
    assert.equal(count('0/5000100', '000000010000000000000004'), 256)
    assert.equal(count('0/8000000', '000000010000000000000004'), 3 * SEGMENT_BYTES)
  })
  test('positions above 4 GB are counted with their upper half', () => {
    assert.equal(count('2/1000000', '0000000300000001000000FF'), SEGMENT_BYTES)
    assert.equal(count('1/FF000010', '0000000300000001000000FE'), 16)
  })
  test('the file of a backup label counts as its segment', () => {
    assert.equal(count('0/6000000', '000000010000000000000004.00000028.backup'), SEGMENT_BYTES)
  })
  test('without an archived segment, all WAL is counted', () => {
    assert.equal(count('0/2000000', null), 2 * SEGMENT_BYTES)
    assert.equal(count('0/2000000', '00000002.history'), 2 * SEGMENT_BYTES)
  })
  test('a position within the last archived segment counts as archived', () => {
    assert.equal(count('0/4800000', '000000010000000000000004'), 0)
  })
})
