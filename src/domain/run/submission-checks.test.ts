import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { answerOf, draftOf, questionOf } from '#domain/testing/drafts.ts'
import { PREVIEW_RULES, PUBLIC_RULES } from './scoring.ts'
import { findBlockingQuestions, replyErrors, submissionErrors } from './submission-checks.ts'

const snapshot = takeSnapshot(
  draftOf({
    questions: [
      questionOf('choix', { answers: [answerOf('oui'), answerOf('non')], global_position: 0 }),
      questionOf('nom', { type: 'text', global_position: 1 }),
      questionOf('mail', { type: 'email', global_position: 2, page_number: 2 }),
      questionOf('autre', { type: 'email', global_position: 3, page_number: 2 }),
    ],
  }),
)
const good = { choix: 'oui', nom: 'Camille', mail: ' a@b.fr ', autre: 'c@d.fr' }

describe('questions that block « Suivant » (product 8.5)', () => {
  const [first] = groupIntoPages(snapshot)
  assert.ok(first)
  const cases: [Replies, preview: string[], page: string[]][] = [
    [{}, ['choix'], ['choix', 'nom']],
    [{ choix: 'oui' }, [], ['nom']],
    [{ choix: 'oui', nom: ' \t' }, [], ['nom']],
    [{ nom: 'Camille' }, ['choix'], ['choix']],
    [{ choix: 'oui', nom: 'Camille' }, [], []],
  ]
  for (const [replies, preview, page] of cases)
    test(`the right questions block « Suivant » after the replies ${JSON.stringify(replies)}`, () => {
      const ids = (rules: typeof PUBLIC_RULES) =>
        findBlockingQuestions(first, replies, rules).map(({ id }) => id)
      assert.deepEqual([ids(PREVIEW_RULES), ids(PUBLIC_RULES)], [preview, page])
    })
})

describe('replyErrors (product 9.4)', () => {
  const cases: [string, Replies, string[]][] = [
    ['all questions answered', good, []],
    ['a blank reply', { ...good, nom: ' ' }, [`La question "nom ?" n'a pas de réponse`]],
    [
      'an answer that is not offered',
      { ...good, choix: 'nom' },
      [`La réponse à la question "choix ?" n'est pas proposée`],
    ],
    [
      'a reply to an unknown question',
      { ...good, zut: 'x' },
      ['La question zut ne fait pas partie de ce questionnaire'],
    ],
  ]
  for (const [name, replies, expected] of cases)
    test(`replyErrors gives the reasons for a submission with ${name}`, () =>
      assert.deepEqual(replyErrors(snapshot, replies), expected))

  test('property names of every object are not replies', () => {
    for (const id of ['constructor', '__proto__', 'toString']) {
      const tricky = takeSnapshot(draftOf({ questions: [questionOf(id, { type: 'text' })] }))
      assert.deepEqual(replyErrors(tricky, {}), [`La question "${id} ?" n'a pas de réponse`])
    }
  })

  test('replyErrors gives all reasons, with unknown questions first', () =>
    assert.deepEqual(replyErrors(snapshot, { zut: 'x', choix: ' oui' }), [
      'La question zut ne fait pas partie de ce questionnaire',
      `La réponse à la question "choix ?" n'est pas proposée`,
      `La question "nom ?" n'a pas de réponse`,
      `La question "mail ?" n'a pas de réponse`,
      `La question "autre ?" n'a pas de réponse`,
    ]))
})

describe('replies to each kind of question', () => {
  const version = takeSnapshot(
    draftOf({
      questions: [
        questionOf('seul', { answers: [answerOf('a'), answerOf('b')], has_other: true }),
        questionOf('deux', {
          answers: [answerOf('c'), answerOf('d'), answerOf('e')],
          max_choices: 2,
          has_other: true,
          is_required: false,
          global_position: 1,
        }),
        questionOf('note', { type: 'scale', scale_min: 1, scale_max: 5, global_position: 2 }),
        questionOf('jour', { type: 'date', is_required: false, global_position: 3 }),
        questionOf('mot', { type: 'text', is_required: false, global_position: 4 }),
      ],
    }),
  )
  const fine: Replies = { seul: 'a', note: '5' }
  const cases: [name: string, replies: Replies, error?: string][] = [
    ['an optional question is left blank', {}],
    ['all forms of a blank reply', { deux: [], jour: ' ', mot: '' }],
    ['« Autre… » with a text', { seul: 'other: la mer ' }],
    [
      '« Autre… » without a text is not a reply',
      { seul: 'other: ' },
      `La question "seul ?" n'a pas de réponse`,
    ],
    ['« Autre… » of 500 letters', { seul: `other:${'x'.repeat(500)}` }],
    [
      '« Autre… » with more than 500 letters',
      { seul: `other:${'x'.repeat(501)}` },
      'La question "seul ?" accepte un texte de 500 caractères au plus',
    ],
    [
      'a list for a single choice',
      { seul: ['a'] },
      `La question "seul ?" n'accepte qu'une réponse`,
    ],
    ['one of several choices', { deux: 'c' }],
    ['a list with one choice', { deux: ['c'] }],
    ['two choices, one of them « Autre… »', { deux: ['other:rien', 'e'] }],
    ['one choice twice', { deux: ['c', 'c'] }, 'La question "deux ?" a deux fois la même réponse'],
    [
      '« Autre… » twice',
      { deux: ['other:x', 'other:y'] },
      'La question "deux ?" a deux fois la même réponse',
    ],
    [
      'too many choices',
      { deux: ['c', 'd', 'e'] },
      'La question "deux ?" accepte au plus 2 réponses',
    ],
    [
      'a choice that is not offered',
      { deux: ['c', 'a'] },
      `La réponse à la question "deux ?" n'est pas proposée`,
    ],
    ['the ends of a scale', { note: '1' }],
    ...['0', '6', '05', '1.0', '-1', 'x', '3 '].map((note): [string, Replies, string] => [
      `${note} on a scale`,
      { note },
      'La question "note ?" attend un nombre entier de 1 à 5',
    ]),
    ['two numbers', { note: ['1', '2'] }, `La question "note ?" n'accepte qu'une réponse`],
    ['a leap day', { jour: '2024-02-29' }],
    ...['2026-02-31', '2026-02-29', '0000-01-01', '12026-01-01', '31/12/2026', '2026-1-1'].map(
      (jour): [string, Replies, string] => [
        `${jour} for a day`,
        { jour },
        'La question "jour ?" attend une date du calendrier',
      ],
    ),
    ['a list for a text', { mot: ['x', 'y'] }, `La question "mot ?" n'accepte qu'une réponse`],
  ]
  for (const [name, replies, error] of cases)
    test(`a reply is accepted or refused: ${name}`, () =>
      assert.deepEqual(replyErrors(version, { ...fine, ...replies }), error ? [error] : []))

  test('a submission has no day of an impossible year, and a stored reply may have one', () => {
    const [page] = groupIntoPages(version)
    for (const [jour, is_refused] of [
      ['0202-12-31', true],
      ['9999-12-31', true],
      ['1799-12-31', true],
      ['1800-01-01', false],
      ['0026-12-31', false],
    ] as const) {
      const replies = { ...fine, jour }
      const expected = is_refused ? ['La question "jour ?" attend une date entre 1800 et 2199'] : []
      assert.deepEqual(submissionErrors(version, replies), expected, jour)
      assert.deepEqual(replyErrors(version, replies), [], jour)
      assert.deepEqual(page && findBlockingQuestions(page, replies, PUBLIC_RULES), [])
    }
  })

  test('replies block « Suivant » if the server would refuse them', () => {
    const [page] = groupIntoPages(version)
    assert.ok(page)
    for (const [name, replies, error] of cases) {
      const held = findBlockingQuestions(page, { ...fine, ...replies }, PUBLIC_RULES)
      assert.equal(held.length, error ? 1 : 0, name)
    }
  })

  test('replies count only on visited pages', () => {
    const led = takeSnapshot(
      draftOf({
        questions: [
          questionOf('fin', { answers: [answerOf('oui', { jump_to: 0 }), answerOf('non')] }),
          questionOf('mail', { type: 'email', page_number: 2, global_position: 1 }),
        ],
      }),
    )
    const none = `La question "mail ?" n'a pas de réponse`
    assert.deepEqual(replyErrors(led, { fin: 'oui', mail: ['x', 'y'] }), [])
    assert.deepEqual(replyErrors(led, { fin: 'non' }), [none])
  })
})
