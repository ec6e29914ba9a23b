import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { draftOf, questionOf, quizOf } from '#domain/testing/drafts.ts'
import { DEFAULT_CONSENT_TEXTS } from './consent.ts'
import {
  consentGaps,
  consentTextFor,
  type SentPart,
  sentPartNames,
  sentParts,
} from './consent-words.ts'

const questions = [
  questionOf('a', { type: 'text', contact_role: 'first_name' }),
  questionOf('b', { type: 'phone', contact_role: 'phone' }),
]
const ALL: SentPart[] = ['first_name', 'last_name', 'phone', 'result', 'replies']

describe('the parts that tools receive', () => {
  test('a quiz sends its result, its contact questions, and replies only if they are used', () => {
    const draft = draftOf({ questions })
    assert.deepEqual(sentParts(draft, false), ['first_name', 'phone', 'result'])
    assert.deepEqual(sentParts(draft, true), ['first_name', 'phone', 'result', 'replies'])
  })

  test('a sondage sends no result', () => {
    const draft = draftOf({ quiz: quizOf({ type: 'sondage' }) })
    assert.deepEqual(sentParts(draft, false), [])
  })
})

describe('the words of the consent box', () => {
  test('the default texts announce the address, and the result of a quiz', () => {
    assert.equal(consentTextFor(['result']), DEFAULT_CONSENT_TEXTS.quiz)
    assert.equal(consentTextFor([]), DEFAULT_CONSENT_TEXTS.sondage)
  })

  test('a text lacks the parts that it does not name, and « prénom » does not name « nom »', () => {
    const text = 'J’accepte que mon PRÉNOM et mon score soient transmis.'
    assert.deepEqual(consentGaps(text, ALL).missing, ['last_name', 'phone', 'replies'])
  })

  test('a text about all data or all contact details names them', () => {
    assert.deepEqual(consentGaps('Mes données sont transmises.', ALL).missing, [])
    const contact = consentGaps('Mes coordonnées sont transmises.', ALL)
    assert.deepEqual(contact.missing, ['result', 'replies'])
  })

  test('the text of a quiz announces a result that a sondage does not have', () => {
    assert.deepEqual(consentGaps(DEFAULT_CONSENT_TEXTS.quiz, []), {
      missing: [],
      has_false_result: true,
    })
  })

  test('the proposed text announces every part, has correct grammar and fits into the field', () => {
    for (const parts of [[], ['result'], ['first_name', 'replies'], ALL] satisfies SentPart[][]) {
      const text = consentTextFor(parts)
      assert.deepEqual(consentGaps(text, parts), { missing: [], has_false_result: false })
      assert.ok(text.length <= LIMITS.consent_text)
    }
    assert.match(consentTextFor([]), /^J’accepte que mon adresse email soit transmise à /)
    assert.equal(sentPartNames(['last_name', 'phone']), 'mon nom et mon numéro de téléphone')
  })
})
