import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultsOf } from '#domain/questionnaire/fields/field.ts'
import { BUTTON_LABEL_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import { quizOf } from '#domain/testing/drafts.ts'
import { hasOwnWording, LABEL_FIELDS, PAGE_TU_FORMS, pageWordingOf } from './page-wording.ts'
import { defaultLabelOf, isLabelShown, type LabelName } from './shown-labels.ts'
import { OTHER_TU_FORMS, wordingOf } from './wording.ts'

const TU_FORMS = { ...PAGE_TU_FORMS, ...OTHER_TU_FORMS }
const LABELS = Object.keys(BUTTON_LABEL_FIELDS) as LabelName[]

describe('the words of a quiz', () => {
  test('a quiz with defaults keeps every text', () => {
    for (const text of [...Object.keys(LABEL_FIELDS), ...Object.keys(TU_FORMS), 'Ex æquo'])
      for (const quiz of [{}, { address_form: 'vous' as const, next_label: null }]) {
        assert.equal(pageWordingOf(quiz, text), text)
        assert.equal(wordingOf(quiz, text), text)
      }
  })
  test('a label replaces the default texts of its button and no other text', () => {
    for (const [text, label] of Object.entries(LABEL_FIELDS)) {
      assert.equal(wordingOf({ [label]: 'À moi' }, text), 'À moi')
      const others = Object.fromEntries(LABELS.map((name) => [name, `« ${name} »`]))
      assert.equal(wordingOf({ ...others, [label]: null }, text), text)
    }
    assert.deepEqual(new Set(Object.values(LABEL_FIELDS)), new Set(LABELS))
  })
  test('« tu » changes each text of the table, and each becomes a text without « vous »', () => {
    for (const [text, form] of Object.entries(TU_FORMS)) {
      assert.equal(wordingOf({ address_form: 'tu' }, text), form)
      assert.doesNotMatch(form, /(?<!\p{L})(?:vous|votre|vos)(?!\p{L})|\p{L}ez(?!\p{L})/iu)
      assert.notEqual(form, text)
    }
    for (const [text, form] of Object.entries(PAGE_TU_FORMS))
      assert.equal(pageWordingOf({ address_form: 'tu' }, text), form)
  })
  test('a label and « tu » apply together', () => {
    const quiz = { address_form: 'tu' as const, next_label: 'On continue' }
    assert.equal(wordingOf(quiz, 'Suivant'), 'On continue')
    assert.equal(wordingOf(quiz, 'Précédent'), 'Précédent')
    assert.equal(wordingOf(quiz, 'Votre réponse...'), 'Ta réponse...')
  })
  test('a page has words of its own only with a label or with « tu »', () => {
    assert.equal(hasOwnWording({}), false)
    assert.equal(hasOwnWording(defaultsOf(BUTTON_LABEL_FIELDS)), false)
    assert.equal(hasOwnWording({ address_form: 'vous' }), false)
    assert.equal(hasOwnWording({ address_form: 'tu' }), true)
    for (const name of LABELS) assert.equal(hasOwnWording({ [name]: 'x' }), true, name)
  })
})

describe('the labels of a questionnaire', () => {
  test('each button has its default text, and a sondage is sent', () => {
    const texts = LABELS.map((name) => defaultLabelOf({ type: 'quiz' }, name))
    assert.deepEqual(texts, [
      ...['Suivant', 'Précédent', 'Voir le résultat', 'Continuer', 'Recommencer'],
      ...['Partager mon résultat', 'Télécharger mon rapport (PDF)'],
      'Télécharger mon attestation (PDF)',
    ])
    assert.equal(defaultLabelOf({ type: 'sondage' }, 'finish_label'), 'Envoyer')
    assert.equal(defaultLabelOf({ type: 'sondage' }, 'next_label'), 'Suivant')
  })
  test('a label can be shown only if the questionnaire has its button', () => {
    const shownBy = (fields: object) =>
      LABELS.filter((name) => isLabelShown(quizOf(fields), name)).map((name) =>
        name.replace('_label', ''),
      )
    const always = ['next', 'back', 'finish']
    assert.deepEqual(shownBy({ type: 'quiz' }), [...always, 'share'])
    assert.deepEqual(shownBy({ type: 'sondage' }), always)
    const all = { shows_corrections: 'page', report: 'result', certificate_percent: 0 }
    assert.deepEqual(shownBy({ ...all, type: 'quiz', allows_restart: true }), [
      ...[...always, 'continue', 'restart', 'share', 'report', 'certificate'],
    ])
    assert.deepEqual(shownBy({ ...all, type: 'sondage' }), [...always, 'report'])
    assert.deepEqual(shownBy({ type: 'quiz', shows_corrections: 'end' }), [...always, 'share'])
  })
})
