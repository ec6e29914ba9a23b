import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupIntoPages } from './pages.ts'
import type { Replies } from './quiz.ts'
import { PREVIEW_RULES, PUBLIC_RULES } from './scoring.ts'
import { takeSnapshot } from './snapshot.ts'
import { PHONE_PATTERN, participantEmail, progress, replyErrors, unanswered } from './taking.ts'
import { answerOf, draftOf, questionOf } from './testing/drafts.ts'

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

describe('what holds « Suivant » back (spec §5 « Taking a quiz »)', () => {
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
    test(JSON.stringify(replies), () => {
      const ids = (rules: typeof PUBLIC_RULES) =>
        unanswered(first, replies, rules).map(({ id }) => id)
      assert.deepEqual([ids(PREVIEW_RULES), ids(PUBLIC_RULES)], [preview, page])
    })
})

describe('replyErrors (decisions « Submission »)', () => {
  const cases: [string, Replies, string[]][] = [
    ['all answered', good, []],
    ['a blank one', { ...good, nom: ' ' }, [`La question "nom ?" n'a pas de réponse`]],
    [
      'an answer not offered',
      { ...good, choix: 'nom' },
      [`La réponse à la question "choix ?" n'est pas proposée`],
    ],
    [
      'a reply to no question',
      { ...good, zut: 'x' },
      ['La question zut ne fait pas partie de ce quiz'],
    ],
  ]
  for (const [name, replies, expected] of cases)
    test(name, () => assert.deepEqual(replyErrors(snapshot, replies), expected))

  test('names that objects inherit are no replies', () => {
    for (const id of ['constructor', '__proto__', 'toString']) {
      const tricky = takeSnapshot(draftOf({ questions: [questionOf(id, { type: 'text' })] }))
      assert.deepEqual(replyErrors(tricky, {}), [`La question "${id} ?" n'a pas de réponse`])
    }
  })

  test('every reason is given, strangers first', () =>
    assert.deepEqual(replyErrors(snapshot, { zut: 'x', choix: ' oui' }), [
      'La question zut ne fait pas partie de ce quiz',
      `La réponse à la question "choix ?" n'est pas proposée`,
      `La question "nom ?" n'a pas de réponse`,
      `La question "mail ?" n'a pas de réponse`,
      `La question "autre ?" n'a pas de réponse`,
    ]))
})

test('the email is that of the first email question, trimmed', () => {
  assert.equal(participantEmail(snapshot, good), 'a@b.fr')
  assert.equal(participantEmail(snapshot, { autre: 'c@d.fr' }), '')
  assert.equal(participantEmail({ questions: [] }, good), '')
})

test('progress counts the page being taken', () => {
  assert.deepEqual(
    [0, 1, 2].map((index) => progress(index, 3)),
    [33, 67, 100],
  )
  assert.equal(progress(0, 0), 0)
})

test('a telephone number has six digits or more, whatever stands between them', () => {
  const field = new RegExp(`^(?:${PHONE_PATTERN})$`, 'v')
  for (const text of ['06 12 34 56 78', '+33 (0)6.12.34', '123456']) assert.match(text, field)
  for (const text of ['12345', 'non', '06-12', '']) assert.doesNotMatch(text, field)
})
