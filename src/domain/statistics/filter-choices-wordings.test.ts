import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createWordingFilter, type VersionedText, wordingFilters } from './filter-choices.ts'

const oui = (version: number, text = 'Oui'): VersionedText => ({ id: 'a', text, version })

test('a text that never changes is filtered by its id, in any number of versions', () =>
  assert.equal(wordingFilters([oui(3), oui(1)])(oui(3)), 'a'))

test('each wording is filtered by the oldest version that has it, which later versions do not change', () => {
  const all = [oui(1, 'Ouii'), oui(2), oui(3, 'Ouii')]
  const before = wordingFilters(all)
  const after = wordingFilters([...all, oui(4)])
  assert.deepEqual([before(oui(3, 'Ouii')), before(oui(2))], ['a@1', 'a@2'])
  assert.deepEqual([after(oui(3, 'Ouii')), after(oui(4))], ['a@1', 'a@2'])
})

test('an unknown version matches nothing, and an id alone matches every wording', () => {
  const all = [oui(1, 'Ouii'), oui(2)]
  assert.deepEqual(all.map(createWordingFilter(all, 'a@7')), [false, false])
  assert.deepEqual(all.map(createWordingFilter(all, 'a')), [true, true])
})

test('the filter of a wording matches exactly this wording, for any versions', () =>
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({
          id: fc.constantFrom('a', 'b', 'c'),
          text: fc.constantFrom('Oui', 'Non', 'Autre'),
          version: fc.integer({ min: 1, max: 6 }),
        }),
        { selector: ({ id, version }) => `${id} ${version}` },
      ),
      (all) => {
        const filterOf = wordingFilters(all)
        for (const one of all) {
          const isMeant = createWordingFilter(all, filterOf(one))
          for (const other of all)
            assert.equal(isMeant(other), other.id === one.id && other.text === one.text)
        }
      },
    ),
  ))
