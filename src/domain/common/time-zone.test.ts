import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countCases } from '#domain/testing/pick-by-run.ts'
import {
  endOfDay,
  fromLocalTime,
  isTimeZone,
  localDay,
  localMinute,
  localTime,
  localTimestamp,
  startOfDay,
} from './time-zone.ts'
import {
  currentTimeZoneName,
  timeZoneGroups,
  timeZoneName,
  timeZoneToShow,
  withTimeZone,
} from './time-zone-labels.ts'

const ZONES = [
  'Europe/Paris',
  'Pacific/Noumea',
  'America/Martinique',
  'Indian/Reunion',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Adelaide',
  'Pacific/Marquesas',
  'Pacific/Chatham',
  'Atlantic/Azores',
  'America/Santiago',
  'America/Havana',
  'America/Nuuk',
  'Australia/Lord_Howe',
  'UTC',
]
const zone = fc.constantFrom(...ZONES)
const moment = fc.date({
  min: new Date('2015-01-01'),
  max: new Date('2060-01-01'),
  noInvalidDate: true,
})

test('local time follows summer and winter time in Paris', () => {
  const paris = (at: string) => localTime(at, 'Europe/Paris')
  assert.equal(paris('2026-03-29T00:59:59.999Z'), '2026-03-29 01:59:59')
  assert.equal(paris('2026-03-29T01:00:00.000Z'), '2026-03-29 03:00:00')
  assert.equal(paris('2026-10-25T00:59:59.000Z'), '2026-10-25 02:59:59')
  assert.equal(paris('2026-10-25T01:00:00.000Z'), '2026-10-25 02:00:00')
})

test('local time equals that of Intl at any moment in any zone', () => {
  fc.assert(
    fc.property(moment, zone, (date, timeZone) => {
      const calendar = new Intl.DateTimeFormat('sv-SE', {
        timeZone,
        dateStyle: 'short',
        timeStyle: 'medium',
      })
      assert.equal(localTime(date.toISOString(), timeZone), calendar.format(date))
    }),
  )
})

test('zones of half and quarter hours keep their minutes', () => {
  const cases: [time_zone: string, local: string, stamp: string][] = [
    ['Asia/Kolkata', '2026-03-09 17:35:00', '2026-03-09T17:35:00+05:30'],
    ['Asia/Kathmandu', '2026-03-09 17:50:00', '2026-03-09T17:50:00+05:45'],
    ['Australia/Adelaide', '2026-03-09 22:35:00', '2026-03-09T22:35:00+10:30'],
    ['Pacific/Marquesas', '2026-03-09 02:35:00', '2026-03-09T02:35:00-09:30'],
    ['Pacific/Noumea', '2026-03-09 23:05:00', '2026-03-09T23:05:00+11:00'],
    ['America/Martinique', '2026-03-09 08:05:00', '2026-03-09T08:05:00-04:00'],
    ['Indian/Reunion', '2026-03-09 16:05:00', '2026-03-09T16:05:00+04:00'],
  ]
  for (const [time_zone, local, stamp] of cases) {
    assert.equal(localTime('2026-03-09T12:05:00.000Z', time_zone), local)
    assert.equal(localTimestamp('2026-03-09T12:05:00.000Z', time_zone), stamp)
  }
})

test('a local time converts to a moment, also on days when clocks change', () => {
  const cases: [local: string, at: string][] = [
    ['2026-03-09T13:05', '2026-03-09T12:05:00.000Z'],
    ['2026-07-14T00:00', '2026-07-13T22:00:00.000Z'],
    ['2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T01:59', '2026-10-24T23:59:00.000Z'],
    ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
  ]
  for (const [local, at] of cases) assert.equal(fromLocalTime(local, 'Europe/Paris'), at, local)
})

test('a local minute converts back to its moment, unless its hour occurs twice', () => {
  fc.assert(
    fc.property(moment, zone, (date, time_zone) => {
      const at = new Date(Math.floor(date.getTime() / 60_000) * 60_000).toISOString()
      const again = fromLocalTime(localMinute(at, time_zone), time_zone)
      assert.equal(localTime(again, time_zone), localTime(at, time_zone))
      assert.ok(Date.parse(again) <= Date.parse(at))
    }),
  )
})

test('a day begins at its first moment and ends where the next day begins, also when clocks change', () => {
  fc.assert(
    fc.property(moment, zone, (date, time_zone) => {
      const day = localDay(date, time_zone)
      const [start, end] = [startOfDay(day, time_zone), endOfDay(day, time_zone)]
      assert.ok(Date.parse(start) <= date.getTime() && date.getTime() < Date.parse(end))
      const dayAt = (ms: number) => localDay(new Date(ms), time_zone)
      assert.equal(dayAt(Date.parse(start)), day)
      assert.equal(dayAt(Date.parse(end) - 1), day)
      assert.ok(dayAt(Date.parse(start) - 1) < day)
      assert.ok(dayAt(Date.parse(end)) > day)
    }),
    { numRuns: countCases(1_000) },
  )
})

test('days that begin late, begin twice or last 25 hours contain all moments of their date', () => {
  const cases: [time_zone: string, day: string, start: string, end: string][] = [
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z', '2026-10-26T01:00:00.000Z'],
    ['Europe/Paris', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Asia/Kolkata', '2026-03-09', '2026-03-08T18:30:00.000Z', '2026-03-09T18:30:00.000Z'],
  ]
  for (const [time_zone, day, start, end] of cases) {
    assert.equal(startOfDay(day, time_zone), start, time_zone)
    assert.equal(endOfDay(day, time_zone), end, time_zone)
  }
})

test('only places of the IANA database are time zones', () => {
  for (const name of [...ZONES, 'America/Port-au-Prince', 'America/Argentina/Buenos_Aires'])
    assert.ok(isTimeZone(name), name)
  for (const name of ['', 'Paris', '+05:30', 'GMT+5', 'europe/paris', 'Europe/Nulle_Part', "UTC'"])
    assert.ok(!isTimeZone(name), name)
})

test('every offered zone is a time zone with a French name, and France comes first', () => {
  const groups = timeZoneGroups(Intl.supportedValuesOf('timeZone'), new Date('2026-03-09'))
  const [first] = groups
  assert.equal(first?.label, 'France et territoires')
  assert.deepEqual(first?.zones[0], { time_zone: 'Europe/Paris', label: 'Paris (UTC+1)' })
  const zones = groups.flatMap((group) => group.zones.map(({ time_zone }) => time_zone))
  assert.equal(new Set(zones).size, zones.length)
  assert.ok(zones.length > 400)
  for (const time_zone of [...zones, ...ZONES]) {
    assert.ok(isTimeZone(time_zone), time_zone)
    assert.ok(zones.includes(time_zone), time_zone)
    assert.equal(currentTimeZoneName(time_zone), time_zone)
  }
})

test('dates outside the zone of Paris are shown with the name of their zone', () => {
  assert.equal(timeZoneToShow('Europe/Paris'), null)
  assert.equal(withTimeZone('Date', 'Europe/Paris'), 'Date')
  assert.equal(withTimeZone('Date', 'Pacific/Noumea'), 'Date (heure de Nouméa)')
  const cases = [
    ['Europe/Paris', 'heure de Paris'],
    ['America/Martinique', 'heure de la Martinique'],
    ['Indian/Reunion', 'heure de La Réunion'],
    ['Australia/Adelaide', 'heure d’Adélaïde'],
    ['Asia/Calcutta', 'heure de Calcutta'],
    ['America/New_York', 'heure de New York'],
    ['UTC', 'heure UTC'],
  ] as const
  for (const [time_zone, name] of cases) assert.equal(timeZoneName(time_zone), name)
})
