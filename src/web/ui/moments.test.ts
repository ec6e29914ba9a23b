import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentZone, formatMoment, formatNamedMoment, setZone, supportedZone } from './moments.ts'

const UNKNOWN = { time_zone: 'Europe/Atlantide', time_zone_name: 'heure d’Atlantide' }

test('in a browser that does not know a zone, moments are shown in Paris time', () => {
  assert.equal(
    formatNamedMoment('2026-03-09T12:05:00Z', 'short', supportedZone(UNKNOWN)),
    '09/03/2026 13:05',
  )
  setZone(UNKNOWN)
  assert.equal(currentZone().time_zone, 'Europe/Paris')
})

test('moments follow the time zone when the creator changes it', () => {
  const format = () => formatMoment('2026-03-09T12:05:00Z')
  setZone()
  assert.equal(format(), '09/03/2026 13:05')
  setZone({ time_zone: 'Pacific/Noumea', time_zone_name: 'heure de Nouméa' })
  assert.equal(format(), '09/03/2026 23:05')
  setZone()
  assert.equal(format(), '09/03/2026 13:05')
})
