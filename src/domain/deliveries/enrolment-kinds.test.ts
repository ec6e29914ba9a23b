import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { automationSentence, tagsOf } from './automations.ts'
import { deliveryReason } from './delivery-labels.ts'
import {
  describeLabels,
  type EnrolmentRefusal,
  isFeminineLabel,
  KINDS_OF_TOOL,
  LABEL_KINDS,
  type LabelKind,
  labelNoun,
  labelNouns,
  missingFeatureSentence,
} from './enrolment-kinds.ts'

const words = { kind: 'result', result: 'Grand saut' } as const

test('each kind belongs to one tool', () => {
  assert.deepEqual(Object.values(KINDS_OF_TOOL).flat().sort(), LABEL_KINDS.toSorted())
})

describe('the words of a kind', () => {
  const ACTIONS: ['convertkit' | 'systemio' | 'brevo', LabelKind | null, string][] = [
    ['convertkit', null, 'ajouter le tag « X » dans Kit'],
    ['systemio', null, 'ajouter le tag « X » dans Systeme.io'],
    ['brevo', null, 'ajouter à la liste « X » dans Brevo'],
    ['systemio', 'course', 'inscrire au cours « X » dans Systeme.io'],
    ['systemio', 'community', 'ajouter à la communauté « X » dans Systeme.io'],
    ['convertkit', 'sequence', 'ajouter à la séquence « X » dans Kit'],
    ['convertkit', 'form', 'ajouter au formulaire « X » dans Kit'],
  ]
  for (const [provider, label_kind, action] of ACTIONS)
    test(`a rule says « ${action} »`, () => {
      const rule = { provider, label_kind, label_name: 'X', answer_id: null }
      assert.equal(
        automationSentence(words, rule),
        `Quand le résultat est « Grand saut », ${action}`,
      )
    })

  test('nouns have a plural and a gender', () => {
    const all = [null, ...LABEL_KINDS].map((kind) => [
      labelNoun('brevo', kind),
      labelNouns('brevo', kind),
      isFeminineLabel('brevo', kind),
    ])
    assert.deepEqual(all, [
      ['liste', 'listes', true],
      ['cours', 'cours', false],
      ['communauté', 'communautés', true],
      ['séquence', 'séquences', true],
      ['formulaire', 'formulaires', false],
    ])
    assert.equal(labelNouns('systemio'), 'tags')
  })

  test('what a delivery applied is listed by kind', () => {
    assert.equal(
      describeLabels(
        'systemio',
        ['A', 'B'],
        [
          { kind: 'community', name: 'Le cercle' },
          { kind: 'course', name: 'A' },
          { kind: 'community', name: 'Anciens' },
        ],
      ),
      'Tags : A, B · Cours : A · Communautés : Le cercle, Anciens',
    )
    assert.equal(describeLabels('brevo', ['A'], []), 'Liste : A')
    assert.equal(describeLabels('convertkit', [], []), '')
  })

  test('a plan without the feature is named with its tool', () => {
    assert.equal(
      missingFeatureSentence('community'),
      'Votre offre Systeme.io ne comprend pas les communautés.',
    )
    assert.equal(missingFeatureSentence('form'), 'Votre offre Kit ne comprend pas les formulaires.')
  })
})

describe('the reason of an enrolment that was left out', () => {
  const REASONS: [LabelKind, EnrolmentRefusal, string][] = [
    ['course', 'missing', 'l’inscription au cours « X » : le cours n’existe plus.'],
    [
      'course',
      'plan',
      'l’inscription au cours « X » : votre offre Systeme.io ne comprend pas les cours.',
    ],
    ['course', 'refused', 'l’inscription au cours « X » : Systeme.io l’a refusée.'],
    [
      'community',
      'refused',
      'l’ajout à la communauté « X » : Systeme.io l’a refusé, la communauté est peut-être pleine.',
    ],
    ['community', 'missing', 'l’ajout à la communauté « X » : la communauté n’existe plus.'],
    [
      'sequence',
      'refused',
      'l’ajout à la séquence « X » : Kit l’a refusé, la séquence est peut-être archivée.',
    ],
    [
      'form',
      'refused',
      'l’ajout au formulaire « X » : Kit l’a refusé, le formulaire est peut-être archivé.',
    ],
    [
      'form',
      'unpicked',
      'l’ajout au formulaire « X » : le compte connecté a changé, choisissez de nouveau le formulaire.',
    ],
  ]
  for (const [kind, code, sentence] of REASONS)
    test(`the ledger says « Envoyé sans ${sentence} »`, () => {
      const enrolments = [{ kind, name: 'X', vendor_id: '7', code }]
      const said = deliveryReason('delivered', 'label_refused', {
        labels: [],
        fields: [],
        enrolments,
      })
      assert.equal(said, `Envoyé sans ${sentence}`)
    })

  test('refused tags, enrolments and parameters are named together', () => {
    const said = deliveryReason('delivered', 'label_refused', {
      labels: ['A'],
      enrolments: [{ kind: 'course', name: 'A', vendor_id: '7', code: 'missing' }],
      fields: ['utm_source'],
    })
    assert.match(said ?? '', /sans « A » .* sans l’inscription au cours « A » .* le champ/)
  })
})

test('a tag, a course and two sequences of one name are different labels', () => {
  const rule = (label_kind: LabelKind | null, vendor_id: string | null) => ({
    provider: 'systemio' as const,
    result_id: 'r',
    question_id: null,
    answer_id: null,
    label_name: 'Élan',
    label_kind,
    vendor_id,
  })
  const rules = [
    ...[rule('course', '7'), rule(null, null), rule('sequence', '7'), rule('sequence', '8')],
    ...[rule('course', '7'), rule(null, '7')],
  ]
  assert.deepEqual(
    tagsOf({ result_id: 'r', answer_ids: new Set(), tier_ids: new Set() }, rules, 'élan'),
    [
      { name: 'Élan', vendor_id: '7', kind: 'course' },
      { name: 'Élan', vendor_id: '7', kind: 'sequence' },
      { name: 'Élan', vendor_id: '8', kind: 'sequence' },
      { name: 'Élan', vendor_id: '7', kind: null },
    ],
  )
})
