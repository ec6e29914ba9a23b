import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backupWarning, formatBytes, formatDuration, isDiskLow, isLate } from './admin-labels.ts'

const NOW = Date.parse('2026-03-20T12:00:00Z')

test('sizes are shown in the largest unit that fits', () => {
  const shown = [0, 1, 1_023, 1_024, 1_536, 1_048_576, 131_072_000, 5_368_709_120, 2 ** 41].map(
    (bytes) => formatBytes(bytes).replaceAll(/\s/g, ' '),
  )
  assert.deepEqual(shown, [
    '0 octets',
    '1 octets',
    '1 023 octets',
    '1 Ko',
    '1,5 Ko',
    '1 Mo',
    '125 Mo',
    '5 Go',
    '2 To',
  ])
})

test('durations are shown in their two largest units', () => {
  const shown = [0, 59, 60, 3_600, 3_720, 86_400, 273_600].map(formatDuration)
  assert.deepEqual(shown, [
    'moins d’une minute',
    'moins d’une minute',
    '1 min',
    '1 h',
    '1 h 2 min',
    '1 jour',
    '3 jours 4 h',
  ])
})

test('a missing backup and one older than eight days are warned about', () => {
  assert.match(backupWarning(null, NOW) ?? '', /Aucune sauvegarde/)
  assert.equal(backupWarning('2026-03-12T12:00:00Z', NOW), undefined)
  assert.match(backupWarning('2026-03-12T11:59:00Z', NOW) ?? '', /plus de huit jours/)
})

test('a delivery is late ten minutes after its due time', () => {
  assert.equal(isLate(null, NOW), false)
  assert.equal(isLate('2026-03-20T11:50:00Z', NOW), false)
  assert.equal(isLate('2026-03-20T11:49:59Z', NOW), true)
  assert.equal(isLate('2026-03-20T13:00:00Z', NOW), false)
})

test('a disk with less than a tenth of its space is low', () => {
  assert.equal(isDiskLow({ free_bytes: 9, size_bytes: 100 }), true)
  assert.equal(isDiskLow({ free_bytes: 10, size_bytes: 100 }), false)
})
