import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { packReplies, readReplies } from '#domain/run/stored-replies.ts'
import { answerOf, dimensionOf, draftOf, questionOf, resultOf } from '#domain/testing/drafts.ts'
import { versionsWithReplies } from '#domain/testing/versions-with-replies.ts'
import {
  type AutomationRule,
  automationInputOf,
  automationSentence,
  describeSubject,
  findLabel,
  formatLabel,
  tagsOf,
} from './automations.ts'

const answers = [answerOf('oui', { text: 'Oui' }), answerOf('non', { text: 'Non' })]
const draft = draftOf({
  questions: [
    questionOf('choix', {
      text: 'Vraiment ?',
      answers,
      max_choices: 2,
      has_other: true,
      global_position: 0,
    }),
    questionOf('note', { type: 'text', global_position: 1 }),
  ],
  results: [resultOf('grand', { name: 'Grand saut', priority_order: 1 }), resultOf('petit')],
  dimensions: [
    dimensionOf('corps', {
      name: 'Santé',
      tiers: [
        { id: 'bas', from_percent: 0, to_percent: 49, title: 'Faible', text: null },
        { id: 'haut', from_percent: 50, to_percent: 100, title: 'Forte', text: null },
      ],
    }),
  ],
})
const snapshot = takeSnapshot(draft)
const ofResult = (result_id: string, label_name: string, more = {}): AutomationRule => ({
  provider: 'convertkit',
  result_id,
  question_id: null,
  answer_id: null,
  label_name,
  label_kind: null,
  vendor_id: null,
  ...more,
})
const ofAnswer = (answer_id: string, label_name: string, more = {}): AutomationRule => ({
  provider: 'convertkit',
  result_id: null,
  question_id: 'choix',
  answer_id,
  label_name,
  label_kind: null,
  vendor_id: null,
  ...more,
})
const ofTier = (tier_id: string, label_name: string, more = {}): AutomationRule => ({
  provider: 'convertkit',
  result_id: null,
  question_id: null,
  answer_id: null,
  dimension_id: 'corps',
  tier_id,
  label_name,
  label_kind: null,
  vendor_id: null,
  ...more,
})
const positionOf = (id: string) => snapshot.results.findIndex((result) => result.id === id)
const taken = (choix: string[], result: string | null) =>
  automationInputOf(snapshot, {
    ...packReplies(snapshot, { choix, note: 'oui' }),
    dimension_percents: null,
    result_position: result === null ? null : positionOf(result),
  })

describe('the labels of a participant', () => {
  const rules = [
    ofResult('grand', 'Audace'),
    ofAnswer('oui', 'Dit oui'),
    ofAnswer('non', 'Dit non'),
    ofResult('parti', 'Ancien'),
  ]
  const CASES: [string, string[], string | null, string | null, string[]][] = [
    ['a result', [], 'grand', null, ['Audace']],
    ['another result', [], 'petit', null, []],
    ['no result', ['oui'], null, null, ['Dit oui']],
    ['several answers', ['non', 'oui'], 'grand', null, ['Audace', 'Dit oui', 'Dit non']],
    ['« Autre… », whatever is typed', ['other:oui'], null, null, []],
    ['no answer with a rule', [], null, null, []],
    ['the tag of the result comes first', ['oui'], 'petit', 'petit', ['petit', 'Dit oui']],
  ]
  for (const [what, choices, result, tag, names] of CASES)
    test(`a participant has the labels of the matching rules: ${what}`, () => {
      const labels = tagsOf(taken(choices, result), rules, tag)
      assert.deepEqual(
        labels.map(({ name }) => name),
        names,
      )
    })

  test('each label is present once, whatever the case, and a picked label wins over a name', () => {
    const twice = [
      ofResult('grand', 'vip'),
      ofAnswer('oui', 'VIP', { vendor_id: '7' }),
      ofAnswer('oui', 'Vip'),
    ]
    assert.deepEqual(tagsOf(taken(['oui'], 'grand'), twice, 'Vip'), [
      { name: 'VIP', vendor_id: '7', kind: null },
    ])
  })

  test('two picked lists with one name are both present, each once', () => {
    const lists = [
      ofResult('grand', 'VIP', { vendor_id: '7' }),
      ofAnswer('oui', 'VIP', { vendor_id: '9' }),
      ofAnswer('oui', 'VIP', { vendor_id: '7' }),
      ofAnswer('oui', 'Vip'),
    ]
    assert.deepEqual(tagsOf(taken(['oui'], 'grand'), lists, null), [
      { name: 'VIP', vendor_id: '7', kind: null },
      { name: 'VIP', vendor_id: '9', kind: null },
    ])
  })

  test('the labels are exactly those of the chosen answers and of the result', () => {
    fc.assert(
      fc.property(versionsWithReplies(), fc.nat(), ({ snapshot: version, replies }, drawn) => {
        const count = version.results.length
        const result_position = count === 0 ? null : drawn % count
        const stored = { ...packReplies(version, replies), result_position }
        const every = [
          ...version.results.map(({ id }) => ofResult(id, `R ${id}`)),
          ...version.questions.flatMap((question) =>
            question.answers.map(({ id }) => ofAnswer(id, `A ${id}`)),
          ),
        ]
        const answerIds = new Set(
          version.questions.flatMap((question) => question.answers.map(({ id }) => id)),
        )
        const expected = [
          ...(result_position === null ? [] : [`R ${version.results[result_position]?.id}`]),
          // The texts of answers are their ids; skipped questions have no reply.
          ...readReplies(version, stored).flatMap(({ answer_text }) =>
            answer_text.split(', ').flatMap((text) => (answerIds.has(text) ? [`A ${text}`] : [])),
          ),
        ]
        const names = tagsOf(
          automationInputOf(version, { ...stored, dimension_percents: null }),
          every,
          null,
        ).map(({ name }) => name)
        assert.deepEqual(new Set(names), new Set(expected))
        assert.equal(new Set(names).size, names.length)
      }),
    )
  })
})

test('a rule for a tier gives its label to the participants whose percent is in the tier of their version', () => {
  const rules = [ofTier('bas', 'Faible'), ofTier('haut', 'Forte')]
  const version = { questions: [], results: [], dimensions: draft.dimensions }
  const labelsAt = (percent: number | null) => {
    const stored = { choices: [], texts: [], result_position: null, dimension_percents: [percent] }
    return tagsOf(automationInputOf(version, stored), rules, null).map(({ name }) => name)
  }
  assert.deepEqual([labelsAt(49), labelsAt(50), labelsAt(null)], [['Faible'], ['Forte'], []])
})

describe('the labels of an account', () => {
  const labels = [
    { vendor_id: '9', name: 'VIP' },
    { vendor_id: '8', name: 'Autres' },
    { vendor_id: '7', name: 'vip' },
  ]
  test('a label has its number if another label has the same name', () => {
    assert.deepEqual(
      labels.map((label) => formatLabel(label, labels)),
      ['VIP (n° 9)', 'Autres', 'vip (n° 7)'],
    )
  })
  for (const [typed, expected] of [
    ['VIP (n° 7)', '7'],
    ['vip (n° 9)', '9'],
    ['autres', '8'],
    ['vip', 'several'],
    ['Neuve', undefined],
  ] as const)
    test(`the typed text ${typed} finds the label of the account`, () => {
      const found = findLabel(typed, labels)
      assert.equal(typeof found === 'object' ? found.vendor_id : found, expected)
    })
})

describe('a rule as a sentence', () => {
  const SENTENCES: [AutomationRule, string][] = [
    [
      ofResult('grand', 'Audace'),
      'Quand le résultat est « Grand saut », ajouter le tag « Audace » dans Kit',
    ],
    [
      ofAnswer('oui', 'Partants', { provider: 'brevo' }),
      'Quand la réponse à « Vraiment ? » est « Oui », ajouter à la liste « Partants » dans Brevo',
    ],
    [
      ofResult('parti', 'Ancien', { provider: 'systemio' }),
      'Quand le résultat, supprimé depuis, est obtenu, ajouter le tag « Ancien » dans Systeme.io',
    ],
    [
      ofTier('bas', 'À rappeler'),
      'Quand « Santé » est « Faible », ajouter le tag « À rappeler » dans Kit',
    ],
    [
      ofTier('parti', 'Ancien'),
      'Quand le palier, supprimé depuis, est atteint, ajouter le tag « Ancien » dans Kit',
    ],
  ]
  for (const [rule, sentence] of SENTENCES)
    test(`a rule is written as the sentence « ${sentence} »`, () => {
      assert.equal(automationSentence(describeSubject(rule, draft) ?? null, rule), sentence)
    })

  test('a rule has no sentence for an answer of another question', () => {
    const elsewhere = { result_id: null, question_id: 'note', answer_id: 'oui' }
    assert.equal(describeSubject(elsewhere, draft), undefined)
  })
})
