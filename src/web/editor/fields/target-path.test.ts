import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colorFieldId, fieldId, pageFieldId } from './field-ids.ts'
import { targetPath } from './target-path.ts'

test('a field leads to its step, and to the tab of the settings that shows it', () => {
  for (const [step, id, path] of [
    ['questions', fieldId('one'), '/quiz/q/questions'],
    ['results', pageFieldId('tie_rule'), '/quiz/q/results'],
    ['settings', colorFieldId('bg_color'), '/quiz/q/settings'],
    ['settings', pageFieldId('consent_text'), '/quiz/q/settings?onglet=integrations'],
    ['settings', pageFieldId('closes_at'), '/quiz/q/settings?onglet=acces'],
  ] as const)
    assert.equal(targetPath('q', { step, field_ids: [id] }), path)
  assert.equal(targetPath('q', { step: 'settings', field_ids: [] }), '/quiz/q/settings')
})
