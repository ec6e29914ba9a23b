import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dueDigest } from './mail-digest.ts'

const CASES: [now: string, day: string, until: string][] = [
  ['2026-01-15T07:04:59Z', '2026-01-14', '2026-01-14T07:00:00.000Z'],
  ['2026-01-15T07:05:00Z', '2026-01-15', '2026-01-15T07:00:00.000Z'],
  ['2026-07-15T06:05:00Z', '2026-07-15', '2026-07-15T06:00:00.000Z'],
  ['2026-07-14T22:30:00Z', '2026-07-14', '2026-07-14T06:00:00.000Z'],
  // Clocks go forward in the night to 29 March 2026, and back in the night to 25 October.
  ['2026-03-29T06:04:00Z', '2026-03-28', '2026-03-28T07:00:00.000Z'],
  ['2026-03-29T06:05:00Z', '2026-03-29', '2026-03-29T06:00:00.000Z'],
  ['2026-10-25T06:30:00Z', '2026-10-24', '2026-10-24T06:00:00.000Z'],
  ['2026-10-25T07:05:00Z', '2026-10-25', '2026-10-25T07:00:00.000Z'],
]
for (const [now, day, until] of CASES)
  test(`the mail of ${day} is due at ${now}`, () =>
    assert.deepEqual(dueDigest(new Date(now), 'Europe/Paris'), { day, until }))

test('every zone has one mail for each day, and the times that mails cover are consecutive', () =>
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2025-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
      fc.nat(200_000_000),
      fc.constantFrom('Europe/Paris', 'Pacific/Noumea', 'Asia/Kolkata', 'America/Havana'),
      (now, later_ms, time_zone) => {
        const later = new Date(now.getTime() + later_ms)
        const [one, next] = [dueDigest(now, time_zone), dueDigest(later, time_zone)]
        assert.ok(Date.parse(one.until) <= now.getTime() - 300_000)
        assert.ok(one.until <= next.until && one.day <= next.day)
        assert.equal(one.day === next.day, one.until === next.until)
        // A day can have 25 hours, plus the wait.
        assert.ok(now.getTime() - Date.parse(one.until) < 25 * 3_600_000 + 300_000)
      },
    ),
  ))
