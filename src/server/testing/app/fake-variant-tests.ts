import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe } from 'node:test'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { applyVariant, FAKE_VARIANTS } from '#server/testing/fakes/fake-variants.ts'
import type { ToolContact } from '#server/testing/people/tool-contacts.ts'
import type { OutboxApp } from './outbox-app.ts'

type FakeVariant = (typeof FAKE_VARIANTS)[number]

/**
 * Registers the tests once for each variant of the fake tools. After each test, the counters must equal a recount,
 * and no log or answer may contain a secret.
 */
export const testEveryFakeVariant = (
  app: OutboxApp,
  tests: (variant: FakeVariant) => void,
): void => {
  for (const variant of FAKE_VARIANTS)
    describe(variant.name, () => {
      let restore = (): void => undefined
      beforeEach(() => {
        restore = applyVariant(app.fakes, variant)
      })
      afterEach(async () => {
        restore()
        for (const fake of Object.values(app.fakes)) fake.heal()
        assert.deepEqual(await findDifferences(app.pool), [])
        assert.deepEqual(app.findLeaks(), [])
      })
      tests(variant)
    })
}

const sortByEmail = (people: readonly ToolContact[]): ToolContact[] =>
  people.toSorted((a, b) => (a.email < b.email ? -1 : 1))

/** Fails unless each of the three tools has exactly these people, once each. */
export const assertPeopleAtAllTools = (
  app: OutboxApp,
  account: string,
  people: ToolContact[],
): void => {
  const people_at = app.listPeopleAtTools(account)
  for (const provider of PROVIDERS)
    assert.deepEqual(sortByEmail(people_at[provider]), sortByEmail(people), provider)
}
