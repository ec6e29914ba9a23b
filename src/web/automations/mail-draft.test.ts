import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rebaseMailDraft } from './mail-draft.ts'

const over = { subject: 'Objet', text: 'Texte' }

test('texts that were not edited follow the stored ones, and edited texts stay with what they replace', () => {
  const mail = { subject: 'Mon objet', text: 'Texte ' }
  const stored = { subject: 'Leur objet', text: 'Leur texte' }
  assert.deepEqual(rebaseMailDraft({ mail, over }, stored), {
    mail: { subject: 'Mon objet', text: 'Leur texte' },
    over: { subject: 'Objet', text: 'Leur texte' },
  })
})

test('a text that is stored as typed has no conflict any more', () => {
  const mail = { subject: 'Mon objet ', text: 'Texte' }
  const stored = { subject: 'Mon objet', text: 'Texte' }
  assert.deepEqual(rebaseMailDraft({ mail, over }, stored), { mail, over: stored })
})

test('typed texts are returned as given while nothing is stored', () => {
  const typed = { mail: { subject: 'Mon objet', text: 'Texte' }, over }
  assert.equal(rebaseMailDraft(typed, over), typed)
})
