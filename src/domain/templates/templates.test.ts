import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { computeOdds } from '#domain/odds/odds.ts'
import { publishErrors } from '#domain/publishing/publish-errors.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { parseText } from '#domain/text-format/parse-text.ts'
import { printText } from '#domain/text-format/print-text.ts'
import {
  describeTemplate,
  estimateMinutes,
  findTemplates,
  parseTemplates,
  TEMPLATE_GOALS,
  TEMPLATE_PURPOSES,
} from './templates.ts'

const texts = Object.fromEntries(
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => [
      name.slice(0, -'.txt'.length),
      readFileSync(`${import.meta.dirname}/${name}`, 'utf8'),
    ]),
)
const templates = parseTemplates(texts)

test('there are sixteen templates, and each has a purpose', () => {
  assert.equal(templates.length, 16)
  assert.deepEqual(Object.keys(TEMPLATE_PURPOSES).sort(), Object.keys(texts).sort())
  const kinds = templates.map(({ draft }) => describeTemplate(draft).split(' · ')[0])
  assert.deepEqual([...new Set(kinds)].sort(), ['Quiz par profils', 'Quiz par score', 'Sondage'])
})

test('each goal of the filter has several templates', () => {
  for (const [goal, name] of TEMPLATE_GOALS)
    assert.ok(templates.filter((template) => template.goal === goal).length >= 3, name)
})

const SEARCHES: [searched: string, keys: string[]][] = [
  ['à chaud', ['satisfaction-a-chaud']],
  ['A FROID', ['satisfaction-a-froid']],
  ['positionnement', ['positionnement']],
  ['satisfaction', ['satisfaction-a-chaud', 'satisfaction-a-froid', 'recommandation']],
  ['qcm', ['quiz-de-connaissances', 'evaluation-des-acquis']],
  ['NPS', ['recommandation']],
  ['satisfaction trois mois', ['satisfaction-a-froid']],
  ['xyzzy', []],
]
for (const [searched, keys] of SEARCHES)
  test(`a search for « ${searched} » finds its templates`, () => {
    assert.deepEqual(
      findTemplates(templates, searched).map(({ key }) => key),
      keys,
    )
  })

test('an empty search finds every template, and « formation » all of its goal', () => {
  assert.equal(findTemplates(templates, ' ').length, templates.length)
  const found = findTemplates(templates, 'formation')
  for (const template of templates)
    if (template.goal === 'training') assert.ok(found.includes(template), template.key)
})

test('a template text that is missing or invalid throws an error', () => {
  assert.throws(() => parseTemplates({}), /There is no text of the template/)
  const wrong = { ...texts, 'auto-diagnostic': '# A\nCouleur : rouge' }
  assert.throws(() => parseTemplates(wrong), /The template auto-diagnostic: /)
})

for (const { key, text, draft } of templates)
  describe(`the template ${key}`, () => {
    test('the template can be published without changes', () => {
      assert.deepEqual(publishErrors(draft), [])
      assert.ok(draft.questions.length >= 5 && draft.questions.length <= 10)
      assert.ok(estimateMinutes(draft) <= 4)
    })

    test('the template is the same after printing and parsing', () => {
      const printed = printText(draft)
      const again = parseText(printed)
      assert.ok('draft' in again, JSON.stringify(again))
      assert.equal(printText(again.draft), printed)
    })

    test('the template has French typography, no links and no references to the outside', () => {
      assert.doesNotMatch(text, /[a-z]'[a-z]| [?!;](?: |$)|["“”]|https?:|<|exemple\./im)
      assert.match(text, /^Thème : /m)
      assert.match(text, /^## Accueil$/m)
      if (isSondage(draft.quiz)) assert.match(text, /^## Fin$/m)
      for (const { description } of draft.results) assert.ok((description ?? '').length > 100)
    })

    if (!isSondage(draft.quiz))
      test('the template gives each result a fair share of runs, and settles ties', () => {
        const odds = computeOdds(takeSnapshot(draft))
        assert.ok(odds?.is_exact)
        for (const { name, probability } of odds.results)
          assert.ok(probability >= 0.1 && probability <= 0.6, `${name}: ${probability}`)
        assert.ok(odds.tie_probability <= 0.2, `ties: ${odds.tie_probability}`)
        assert.equal(odds.no_match_probability, 0)
      })
  })
