import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rebaseMailDraft } from './mail-draft.ts'

const base = { subject: 'Objet', text: 'Texte' }

test('texts that were not edited follow the stored ones, and edited texts stay with what they replace', () => {
  const mail = { subject: 'Mon objet', text: 'Texte ' }
  const stored = { subject: 'Leur objet', text: 'Leur texte' }
  assert.deepEqual(rebaseMailDraft({ mail, base }, stored), {
    mail: { subject: 'Mon objet', text: 'Leur texte' },
    base: { subject: 'Objet', text: 'Leur texte' },
  })
})

test('a text that is stored as typed has no conflict any more', () => {
  const mail = { subject: 'Mon objet ', text: 'Texte' }
  const stored = { subject: 'Mon objet', text: 'Texte' }
  assert.deepEqual(rebaseMailDraft({ mail, base }, stored), { mail, base: stored })
})

test('typed texts are returned as given while nothing is stored', () => {
  const typed = { mail: { subject: 'Mon objet', text: 'Texte' }, base }
  assert.equal(rebaseMailDraft(typed, base), typed)
})
