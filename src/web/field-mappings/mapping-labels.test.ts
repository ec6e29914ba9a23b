import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ListedMapping, MappedTool } from '#contract/forwarding/field-mappings.ts'
import { draftOf, questionOf } from '#domain/testing/drafts.ts'
import {
  consentSentence,
  countSentence,
  originOf,
  rolesOf,
  rolesToAdd,
  shownValue,
  sourceChoices,
  sourceEntry,
  unpublishedRoles,
} from './mapping-labels.ts'

const questions = [
  questionOf('first', { type: 'text', text: 'Votre prénom ?', contact_role: 'first_name' }),
  questionOf('phone', { type: 'phone', text: 'Où vous appeler ?', contact_role: 'phone' }),
  questionOf('email', { type: 'email', text: 'Votre adresse ?' }),
  questionOf('pace', { type: 'scale', text: 'Votre rythme ?', label: 'rythme' }),
  questionOf('blank', { type: 'date', text: ' ' }),
]
const draft = draftOf({ questions })
const mapping: ListedMapping = {
  id: 'm',
  provider: 'brevo',
  source: 'question',
  question_id: 'pace',
  dimension_id: null,
  source_label: 'Réponse à « rythme »',
  field_name: 'RYTHME',
  field_type: 'number',
  is_found: true,
  is_orphan: false,
  message: null,
  created_at: '2026-01-01T00:00:00Z',
}
const field = (
  name: string,
  value: string | null,
  origin: MappedTool['sample'][number]['origin'] = 'role',
) => ({ name, value, origin, mapping_id: null })

describe('the values that a field can receive', () => {
  test('questions have their number and short name, and what the tool receives already is marked', () => {
    const entries = sourceChoices(draft, 'brevo', [mapping]).map(
      (choice) => sourceEntry(choice, null).label,
    )
    assert.deepEqual(entries, [
      '1. Votre prénom ? (déjà envoyé)',
      '2. Où vous appeler ? (déjà envoyé)',
      '4. rythme (déjà envoyé)',
      '5. Sans titre',
      'Score total',
      'Résultat (déjà envoyé)',
    ])
  })

  test('a role without a field at the tool is not sent already', () => {
    const [first, phone] = sourceChoices(draft, 'convertkit', [])
    assert.deepEqual([first?.is_sent, phone?.is_sent], [true, false])
  })

  test('a sondage has neither score nor result', () => {
    const sondage = { ...draft, quiz: { ...draft.quiz, type: 'sondage' as const } }
    assert.ok(sourceChoices(sondage, 'brevo', []).every(({ source }) => source === 'question'))
  })

  test('the page of the participant is offered only while the quiz keeps pages, in a sondage too', () => {
    for (const type of ['quiz', 'sondage'] as const) {
      const quiz = { ...draft.quiz, type, keeps_page: true }
      const page = sourceChoices({ ...draft, quiz }, 'brevo', []).at(-1)
      assert.ok(page)
      assert.equal(sourceEntry(page, null).label, 'Page du participant (lien)')
      assert.ok(sourceEntry(page, 'number').disabled)
      const sent = { ...mapping, source: 'own_page' as const, question_id: null }
      assert.ok(sourceChoices({ ...draft, quiz }, 'brevo', [sent]).at(-1)?.is_sent)
    }
    assert.ok(sourceChoices(draft, 'brevo', []).every(({ source }) => source !== 'own_page'))
  })

  test('a value that does not fit the type of the field is disabled with the reason', () => {
    const fitting = sourceChoices(draft, 'brevo', [])
      .map((choice) => sourceEntry(choice, 'number'))
      .filter(({ disabled }) => !disabled)
    assert.deepEqual(
      fitting.map(({ label }) => label),
      ['4. rythme', 'Score total'],
    )
    const [first] = sourceChoices(draft, 'brevo', [])
    assert.ok(first)
    assert.equal(sourceEntry(first, 'date').label, '1. Votre prénom ? (ce champ attend une date)')
  })
})

describe('a line of the sample contact', () => {
  test('phone numbers are in international form, and a field without a value stays as it is', () => {
    assert.equal(shownValue(field('Téléphone', '+33 6 12 34 56 78')), '+33 6 12 34 56 78')
    assert.equal(shownValue(field('RYTHME', null, 'mapping')), 'reste tel quel')
  })

  test('the origin names the question, the result, the parameter or the chosen value', () => {
    const origins = [
      originOf(field('Email', 'a@b.fr', 'email'), questions, undefined),
      originOf(field('Prénom', 'Camille'), questions, undefined),
      originOf(field('Nom', 'Durand'), questions, undefined),
      originOf(field('Résultat quiz', 'A', 'result'), questions, undefined),
      originOf(field('utm_source', 'A', 'parameter'), questions, undefined),
      originOf(field('RYTHME', '3', 'mapping'), questions, mapping),
      originOf(field('RYTHME', null, 'mapping'), questions, mapping),
      originOf(field('RYTHME', null, 'mapping'), questions, { ...mapping, message: 'Refusé' }),
    ]
    assert.deepEqual(origins, [
      'coordonnée, question « Votre adresse ? »',
      'coordonnée, question « Votre prénom ? »',
      'coordonnée',
      'résultat du questionnaire',
      'paramètre de l’adresse',
      'champ choisi : réponse à « rythme »',
      'champ choisi : réponse à « rythme », dès la prochaine publication',
      'champ choisi : réponse à « rythme »',
    ])
  })
})

test('a tool says which roles it receives after a publication, and for which it has no field', () => {
  const roles = rolesOf(questions)
  assert.deepEqual(roles, ['first_name', 'phone'])
  const sample = [field('Prénom', 'Camille')]
  assert.equal(
    unpublishedRoles('brevo', roles, sample),
    'Dès la prochaine publication, Brevo reçoit aussi : Téléphone.',
  )
  assert.equal(unpublishedRoles('convertkit', roles, sample), null)
  assert.match(rolesToAdd('convertkit', roles, () => false) ?? '', /champ prévu pour : Téléphone\./)
  assert.equal(
    rolesToAdd('convertkit', roles, (role) => role === 'phone'),
    null,
  )
  assert.equal(
    rolesToAdd('brevo', roles, () => false),
    null,
  )
})

test('the sentences about consent and the number of fields fit the quiz', () => {
  assert.match(consentSentence(['phone']), /le pays de votre compte/)
  assert.doesNotMatch(consentSentence(['first_name']), /le pays de votre compte/)
  assert.equal(countSentence('brevo', 0), '0 champ choisi sur 20 au plus.')
  assert.equal(countSentence('brevo', 2), '2 champs choisis sur 20 au plus.')
  assert.match(countSentence('brevo', 20), /^Les 20 champs possibles dans Brevo sont choisis/)
})
