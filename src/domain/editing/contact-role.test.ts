import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ContactRole } from '#domain/common/vocabulary.ts'
import { publishErrors } from '#domain/publishing/publish-errors.ts'
import { restoreVersion } from '#domain/publishing/restore-version.ts'
import { duplicateDraft } from '#domain/questionnaire/duplicate-draft.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { draftOfFile, fileOfDraft } from '#domain/quiz-files/quiz-file.ts'
import { draftOf, questionOf, quizOf } from '#domain/testing/drafts.ts'
import { changesBetween } from './changes.ts'
import { mergeDrafts } from './merge-drafts.ts'

/** The role of a question in every operation on a whole questionnaire. */

const withRoles = (...roles: (ContactRole | null)[]): Draft =>
  draftOf({
    quiz: quizOf({ type: 'sondage' }),
    questions: roles.map((contact_role, index) =>
      questionOf(`q${index}`, {
        type: 'text',
        text: `Question ${index}`,
        contact_role,
        position: index,
        global_position: index,
      }),
    ),
  })
const rolesOf = ({ questions }: Draft): (ContactRole | null)[] =>
  questions.map(({ contact_role }) => contact_role)
const createIds = () => {
  let count = 0
  return () => `new-${++count}`
}
const whole = withRoles('first_name', 'last_name', 'phone')

describe('a role is kept', () => {
  const copies: [how: string, copy: () => Draft, roles: (ContactRole | null)[]][] = [
    ['by a duplicate', () => duplicateDraft(whole, createIds()), rolesOf(whole)],
    [
      'by a quiz file, also without effect',
      () =>
        draftOfFile(
          whole.quiz,
          { ...fileOfDraft(whole).file, pictures: [] },
          {
            createId: createIds(),
            image_ids: new Map(),
          },
        ),
      rolesOf(whole),
    ],
    [
      'by a restored version, which has no role without effect',
      () =>
        restoreVersion(withRoles(null, null, null), takeSnapshot(whole), {
          taken_ids: [],
          missing_image_ids: [],
          createId: createIds(),
        }),
      ['first_name', 'last_name', null],
    ],
  ]
  for (const [how, copy, roles] of copies)
    test(`a role is kept ${how}`, () => assert.deepEqual(rolesOf(copy()), roles))
})

test('a changed role is an unpublished change, and a role without effect is none', () => {
  const published = takeSnapshot(withRoles(null))
  assert.notDeepEqual(takeSnapshot(withRoles('first_name')), published)
  assert.notDeepEqual(takeSnapshot(withRoles('last_name')), takeSnapshot(withRoles('first_name')))
  assert.deepEqual(takeSnapshot(withRoles('phone')), published)
})

test('a role without effect has its effect again when the type fits', () => {
  const asPhone = (draft: Draft): Draft => ({
    ...draft,
    questions: draft.questions.map((question) => ({ ...question, type: 'phone' })),
  })
  const roleOf = (draft: Draft) => takeSnapshot(draft).questions[0]?.contact_role
  assert.equal(roleOf(withRoles('phone')), undefined)
  assert.equal(roleOf(asPhone(withRoles('phone'))), 'phone')
  assert.equal(roleOf(asPhone(withRoles('first_name'))), undefined)
})

test('a save contains only the changed role', () =>
  assert.deepEqual(changesBetween(withRoles(null), withRoles('first_name')).questions, [
    { id: 'q0', contact_role: 'first_name' },
  ]))

describe('the merge of two editors', () => {
  const merged = (base: Draft, mine: Draft, theirs: Draft) => mergeDrafts({ base, mine, theirs })

  test('the role of one editor and the text of the other are both kept', () => {
    const theirs = withRoles(null)
    const [question] = theirs.questions
    assert.ok(question)
    const { draft, conflicts } = merged(withRoles(null), withRoles('first_name'), {
      ...theirs,
      questions: [{ ...question, text: 'Votre prénom ?' }],
    })
    assert.deepEqual(conflicts, [])
    assert.deepEqual([draft.questions[0]?.text, rolesOf(draft)], ['Votre prénom ?', ['first_name']])
  })

  test('two roles of one question are a conflict about that field', () => {
    const { conflicts } = merged(withRoles(null), withRoles('first_name'), withRoles('last_name'))
    assert.equal(conflicts.length, 1)
    assert.match(JSON.stringify(conflicts), /contact_role/)
  })

  test('one role that two editors give to two questions is kept on both, and publication refuses it', () => {
    const { draft, conflicts } = merged(
      withRoles(null, null),
      withRoles('first_name', null),
      withRoles(null, 'first_name'),
    )
    assert.deepEqual(conflicts, [])
    assert.deepEqual(rolesOf(draft), ['first_name', 'first_name'])
    assert.deepEqual(publishErrors(draft), [
      {
        message:
          'La coordonnée « Prénom » est demandée par deux questions : « Question 0 » et « Question 1 »',
        question_id: 'q1',
        field: 'contact_role',
      },
    ])
  })
})
