import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { oddsOf } from '#domain/odds/odds.ts'
import { publishErrors } from '#domain/publishing/publish-check.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { parseText } from '#domain/text-format/parse-text.ts'
import { printText } from '#domain/text-format/print-text.ts'
import { describeModel, estimateMinutes, PURPOSES, readModels } from './models.ts'

const texts = Object.fromEntries(
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => [
      name.slice(0, -'.txt'.length),
      readFileSync(`${import.meta.dirname}/${name}`, 'utf8'),
    ]),
)
const models = readModels(texts)

test('there are twelve models, and each has a purpose', () => {
  assert.equal(models.length, 12)
  assert.deepEqual(Object.keys(PURPOSES).sort(), Object.keys(texts).sort())
  const kinds = models.map(({ draft }) => describeModel(draft).split(' · ')[0])
  assert.deepEqual([...new Set(kinds)].sort(), ['Quiz par profils', 'Quiz par score', 'Sondage'])
})

test('a text that is missing or invalid throws', () => {
  assert.throws(() => readModels({}), /There is no text of the model/)
  const wrong = { ...texts, 'auto-diagnostic': '# A\nCouleur : rouge' }
  assert.throws(() => readModels(wrong), /The model auto-diagnostic: /)
})

for (const { key, text, draft } of models)
  describe(key, () => {
    test('may be published without changes', () => {
      assert.deepEqual(publishErrors(draft), [])
      assert.ok(draft.questions.length >= 5 && draft.questions.length <= 9)
      assert.ok(estimateMinutes(draft) <= 4)
    })

    test('is the same after printing and parsing', () => {
      const printed = printText(draft)
      const again = parseText(printed)
      assert.ok('draft' in again, JSON.stringify(again))
      assert.equal(printText(again.draft), printed)
    })

    test('has French typography, no links and no references to the outside', () => {
      assert.doesNotMatch(text, /[a-z]'[a-z]| [?!;](?: |$)|["“”]|https?:|<|exemple\./im)
      assert.match(text, /^Thème : /m)
      assert.match(text, /^## Accueil$/m)
      if (isSondage(draft.quiz)) assert.match(text, /^## Fin$/m)
      for (const { description } of draft.results) assert.ok((description ?? '').length > 100)
    })

    if (!isSondage(draft.quiz))
      test('gives each result a fair share of runs, and settles ties', () => {
        const odds = oddsOf(takeSnapshot(draft))
        assert.ok(odds?.is_exact)
        for (const { name, probability } of odds.results)
          assert.ok(probability >= 0.1 && probability <= 0.6, `${name}: ${probability}`)
        assert.ok(odds.tie <= 0.2, `ties: ${odds.tie}`)
        assert.equal(odds.no_match, 0)
      })
  })
