import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountCountry, isPhoneCountry } from './phone-countries.ts'
import { isTimeZone } from './time-zone.ts'

test('the country of an account is the chosen one, or else that of its time zone', () => {
  const cases: [chosen: string | null, time_zone: string, expected: string][] = [
    [null, 'Europe/Paris', 'FR'],
    [null, 'Indian/Reunion', 'FR'],
    [null, 'Europe/Brussels', 'BE'],
    [null, 'America/Toronto', 'CA'],
    [null, 'Africa/Abidjan', 'CI'],
    [null, 'Asia/Tokyo', 'FR'],
    ['CH', 'Europe/Paris', 'CH'],
    ['FR', 'Europe/Brussels', 'FR'],
    ['XX', 'Europe/Zurich', 'CH'],
  ]
  for (const [chosen, time_zone, expected] of cases) {
    assert.ok(isTimeZone(time_zone))
    assert.equal(accountCountry(chosen, time_zone), expected, `${chosen} ${time_zone}`)
  }
  assert.equal(isPhoneCountry('toString'), false)
})
