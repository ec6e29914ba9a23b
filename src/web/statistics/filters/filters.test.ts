import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFilterChips } from './filter-chips.ts'
import {
  countFilters,
  datesError,
  type Filters,
  filterTogglesOf,
  idsOf,
  parametersOf,
  readFilters,
  replaceFilters,
  setIdFilter,
  writeFilters,
} from './filters.ts'

test('the address contains the filters and nothing else', () => {
  const search = new URLSearchParams('email=ada%20&from=2026-03-09&to=&autre=1')
  const filters = readFilters(search)
  assert.deepEqual(filters, { email: 'ada', from: '2026-03-09' })
  assert.equal(countFilters(filters), 2)
  assert.deepEqual(readFilters(new URLSearchParams(writeFilters(filters))), filters)
  assert.deepEqual(writeFilters({}), {})
})

test('an end before its start is an error, while the same day or a single date is not', () => {
  assert.ok(datesError({ from: '2026-03-10', to: '2026-03-09' }))
  assert.equal(datesError({ from: '2026-03-09', to: '2026-03-09' }), undefined)
  assert.equal(datesError({ to: '2026-03-09' }), undefined)
})

test('filters replace earlier filters and keep the rest of the address', () => {
  const search = new URLSearchParams('email=ada&from=2026-03-09&sort=score')
  const replaced = replaceFilters(search, { result: 'R', from: '2026-03-10', to: '' })
  assert.deepEqual(Object.fromEntries(replaced), { sort: 'score', result: 'R', from: '2026-03-10' })
})

test('a tap adds or removes a reply as a filter, and a sixth reply or a reply without participants cannot filter', () => {
  let filters: Filters = {}
  const byChoice = (...asked: Parameters<ReturnType<typeof filterTogglesOf>['byChoice']>) =>
    filterTogglesOf(filters, (next) => {
      filters = next
    }).byChoice(...asked)
  byChoice('result', 'r1', 3)?.toggle()
  byChoice('result', 'r2', 3)?.toggle()
  assert.equal(filters.result, 'r2')
  assert.equal(byChoice('result', 'r2', 3)?.isOn, true)
  byChoice('result', 'r2', 0)?.toggle()
  assert.equal(countFilters(filters), 0)
  for (const id of ['a', 'b', 'c', 'd', 'e']) byChoice('answer', id, 1)?.toggle()
  assert.deepEqual(idsOf(filters, 'answer'), ['a', 'b', 'c', 'd', 'e'])
  assert.equal(byChoice('answer', 'f', 1), undefined)
  assert.equal(byChoice('answer', 'a', 1)?.isOn, true)
  byChoice('answer', 'a', 1)?.toggle()
  assert.ok(byChoice('answer', 'f', 1))
  assert.equal(byChoice('answer', 'f', 0), undefined)
  assert.equal(byChoice('answer', undefined, 1), undefined)
  assert.equal(setIdFilter({ answer: 'a' }, ['answer', 'a'], false).answer, undefined)
})

test('a tap filters by a value of a parameter and replaces another value, and a sixth parameter cannot filter', () => {
  let filters: Filters = {}
  const by = (...asked: Parameters<ReturnType<typeof filterTogglesOf>['byParameter']>) =>
    filterTogglesOf(filters, (next) => {
      filters = next
    }).byParameter(...asked)
  by(['utm_source', 'a&b=c'], 2)?.toggle()
  assert.equal(filters.parameters, 'utm_source=a%26b%3Dc')
  assert.equal(by(['utm_source', 'a&b=c'], 2)?.isOn, true)
  by(['utm_source', 'lettre'], 2)?.toggle()
  assert.deepEqual(parametersOf(filters), [['utm_source', 'lettre']])
  assert.equal(by(['utm_source', 'x'], 0), undefined)
  for (const name of ['a', 'b', 'c', 'd']) by([name, ''], 1)?.toggle()
  assert.equal(by(['e', ''], 1), undefined)
  assert.ok(by(['utm_source', 'y'], 1))
  const [first, , , , last] = listFilterChips(filters, {
    results: [],
    questions: [],
    dimensions: [],
  })
  assert.deepEqual([first?.text, last?.text], ['Sans a', 'utm_source : lettre'])
  assert.equal(last?.rest.parameters, 'a=&b=&c=&d=')
  by(['utm_source', 'lettre'], 0)?.toggle()
  assert.equal(filters.parameters, 'a=&b=&c=&d=')
  assert.deepEqual(readFilters(new URLSearchParams(writeFilters(filters))), filters)
})

test('each filter has a removable chip, even if its result or reply was deleted', () => {
  const choices = {
    results: [{ id: 'r', name: 'Prêt' }],
    questions: [{ id: 'q', text: 'Et vous ?', answers: [{ id: 'a', text: 'Oui' }] }],
    dimensions: [{ id: 'd', name: 'Santé', tiers: [{ id: 't', text: 'Faible' }] }],
    percents: [{ id: 'score', name: 'Score' }],
  }
  const filters: Filters = {
    email: 'ada',
    result: 'r',
    answer: 'a,b',
    tier: 't,u',
    percent: 'score:50-100,d:0-9',
    certificate: 'none',
    from: '2026-03-01',
    to: '2026-03-09',
  }
  const chips = listFilterChips(filters, choices)
  assert.deepEqual(
    chips.map(({ text }) => text),
    [
      'Du 01/03/2026 au 09/03/2026',
      'Email ou nom : ada',
      'Résultat : Prêt',
      'Et vous ? Oui',
      'Réponse : supprimée',
      'Santé : Faible',
      'Palier : supprimé',
      'Dimension supprimée : de 0 à 9 %',
      'Score : de 50 à 100 %',
      'Sans attestation',
    ],
  )
  for (const [rank, { rest }] of chips.entries())
    assert.deepEqual(
      listFilterChips(rest, choices).map(({ text }) => text),
      chips.filter((_, other) => other !== rank).map(({ text }) => text),
    )
  assert.equal(listFilterChips({ result: 'x' }, choices)[0]?.text, 'Résultat : supprimé')
  assert.equal(listFilterChips({ from: '2026-03-01' }, choices)[0]?.text, 'Depuis le 01/03/2026')
  assert.equal(listFilterChips({ to: '2026-03-01' }, choices)[0]?.text, 'Jusqu’au 01/03/2026')
})
