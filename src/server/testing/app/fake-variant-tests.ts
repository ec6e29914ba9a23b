import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe } from 'node:test'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { POSITIONS, turnTo } from '#server/testing/fakes/fake-variants.ts'
import type { OutboxApp, Person } from './outbox-app.ts'

type Position = (typeof POSITIONS)[number]

/**
 * Runs the tests under every setting of the fake tools. After each test, the counters must equal a recount, and no
 * log or answer may contain a secret.
 */
export const underEveryPosition = (app: OutboxApp, tests: (position: Position) => void): void => {
  for (const position of POSITIONS)
    describe(position.name, () => {
      let turnBack = (): void => undefined
      beforeEach(() => {
        turnBack = turnTo(app.fakes, position)
      })
      afterEach(async () => {
        turnBack()
        for (const fake of Object.values(app.fakes)) fake.heal()
        assert.deepEqual(await findDifferences(app.pool), [])
        assert.deepEqual(app.leaks(), [])
      })
      tests(position)
    })
}

const byEmail = (people: readonly Person[]): Person[] =>
  people.toSorted((a, b) => (a.email < b.email ? -1 : 1))

/** Expects exactly these people, once each, at all three tools. */
export const sameEverywhere = (app: OutboxApp, account: string, people: Person[]): void => {
  const held = app.held(account)
  for (const provider of PROVIDERS)
    assert.deepEqual(byEmail(held[provider]), byEmail(people), provider)
}
