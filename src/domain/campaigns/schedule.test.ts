import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { campaignMailsPerDay, lastSendingTime, nextReminder } from './schedule.ts'

const schedule = {
  reminder_days: [3, 7],
  ends_at: '2026-12-31T23:00:00Z',
  time_zone: 'Europe/Paris',
}
const invited_at = '2026-12-01T15:30:00Z'

describe('the next reminder', () => {
  for (const [name, step, now, expected] of [
    [
      'after the invitation',
      0,
      '2026-12-01T15:30:00Z',
      { step: 1, due_at: '2026-12-04T08:00:00.000Z' },
    ],
    [
      'after the first reminder',
      1,
      '2026-12-04T08:00:05Z',
      { step: 2, due_at: '2026-12-08T08:00:00.000Z' },
    ],
    [
      'after a missed day',
      0,
      '2026-12-05T12:00:00Z',
      { step: 2, due_at: '2026-12-08T08:00:00.000Z' },
    ],
    ['after the last reminder', 2, '2026-12-08T08:00:05Z', undefined],
    [
      'with a clock that was set back',
      1,
      '2026-11-20T00:00:00Z',
      { step: 2, due_at: '2026-12-08T08:00:00.000Z' },
    ],
  ] as const)
    test(`${name} is the next day of the list that has not passed`, () =>
      assert.deepEqual(nextReminder(schedule, { step, invited_at, now: new Date(now) }), expected))

  test('no reminder is due after the end, and days are those of the time zone', () => {
    const at = { step: 0, invited_at, now: new Date(invited_at) }
    assert.equal(nextReminder({ ...schedule, ends_at: '2026-12-04T07:59:00Z' }, at), undefined)
    const late = { step: 0, invited_at: '2026-12-01T23:30:00Z', now: new Date(invited_at) }
    assert.equal(nextReminder(schedule, late)?.due_at, '2026-12-05T08:00:00.000Z')
    const noumea = { ...schedule, time_zone: 'Pacific/Noumea' }
    assert.equal(nextReminder(noumea, at)?.due_at, '2026-12-04T22:00:00.000Z')
  })
})

describe('the time at which the last mails leave', () => {
  const now = new Date('2026-12-01T10:00:00Z')
  const backlog = {
    nb_waiting: 100,
    nb_sent_today: 0,
    mails_per_day: 1_000,
    starts_at: '2026-11-01T00:00:00Z',
  }
  for (const [name, changed, expected] of [
    ['few mails leave at once', {}, '2026-12-01T10:00:00.000Z'],
    ['a campaign begins later', { starts_at: '2026-12-05T09:00:00Z' }, '2026-12-05T09:00:00.000Z'],
    ['many mails take days', { nb_waiting: 5_000 }, '2026-12-07T00:00:00.000Z'],
    ['mails of today count', { nb_sent_today: 800 }, '2026-12-02T00:00:00.000Z'],
    ['no mail waits', { nb_waiting: 0 }, null],
  ] as const)
    test(name, () => assert.equal(lastSendingTime({ ...backlog, ...changed }, now), expected))

  test('campaigns leave a fifth of the mails of a day to results', () => {
    assert.equal(campaignMailsPerDay(1_000), 800)
    assert.equal(campaignMailsPerDay(1), 1)
  })
})
