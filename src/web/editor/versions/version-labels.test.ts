import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { VersionChanges } from '#domain/publishing/version-changes.ts'
import {
  missingImagesText,
  restoredText,
  unchangedVersionText,
  versionChangeLabels,
} from './version-labels.ts'

const NONE = { added: 0, removed: 0, changed: 0 }
const NOTHING: VersionChanges = {
  questions: NONE,
  answers: NONE,
  text_blocks: NONE,
  results: NONE,
  tiers: [],
  contact_roles: [],
  parts: [],
  dimensions: NONE,
  dimension_tiers: [],
  text_variants: NONE,
}

const CASES: { changes: Partial<VersionChanges>; words: string }[] = [
  { changes: {}, words: '' },
  {
    changes: {
      questions: { ...NONE, added: 2 },
      answers: { ...NONE, changed: 1 },
      tiers: ['Pas à pas'],
    },
    words: '2 questions ajoutées, 1 réponse modifiée, palier de « Pas à pas » changé',
  },
  {
    changes: {
      questions: { added: 1, removed: 1, changed: 3 },
      text_blocks: { added: 2, removed: 1, changed: 0 },
      results: { ...NONE, removed: 2 },
    },
    words:
      '1 question ajoutée, 1 question retirée, 3 questions modifiées, 2 blocs de texte ajoutés, 1 bloc de texte retiré, 2 résultats retirés',
  },
  { changes: { contact_roles: ['first_name'] }, words: 'coordonnée « Prénom » changée' },
  {
    changes: { contact_roles: ['first_name', 'last_name', 'phone'] },
    words: 'coordonnées « Prénom », « Nom » et « Téléphone » changées',
  },
  { changes: { tiers: ['A', 'B'] }, words: 'paliers de « A » et « B » changés' },
  {
    changes: { tiers: ['A', 'B', 'C', 'D', 'E'] },
    words: 'paliers de « A », « B », « C » et 2 autres résultats changés',
  },
  {
    changes: {
      dimensions: { ...NONE, added: 1, changed: 2 },
      dimension_tiers: ['Santé', 'Travail', 'Amis', 'Argent'],
      text_variants: { ...NONE, added: 3, removed: 1 },
      parts: ['dimension_questions', 'dimension_chart'],
    },
    words:
      '1 dimension ajoutée, 2 dimensions modifiées, 3 textes conditionnels ajoutés, 1 texte conditionnel retiré, paliers de « Santé », « Travail », « Amis » et 1 autre dimension changés, questions des dimensions changées, graphique des dimensions changé',
  },
  {
    changes: { parts: ['name', 'mode', 'look', 'pages'] },
    words: 'nom changé, mode de calcul changé, apparence modifiée, répartition en pages changée',
  },
]

describe('the changes of a version', () => {
  for (const { changes, words } of CASES)
    test(`the changes of a version are written as « ${words || 'nothing'} »`, () =>
      assert.equal(versionChangeLabels({ ...NOTHING, ...changes }).join(', '), words))
})

test('the messages about a restored version describe it in French', () => {
  assert.equal(restoredText(3), 'Version 3 restaurée dans le brouillon')
  assert.equal(unchangedVersionText(3), 'Le brouillon a déjà le contenu de la version 3.')
  assert.match(missingImagesText(1), /^Une image de cette version n’existe plus/)
  assert.match(missingImagesText(2), /^2 images de cette version n’existent plus/)
})
