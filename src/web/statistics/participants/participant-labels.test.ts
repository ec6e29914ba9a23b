import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatDate } from '#web/statistics/format/format.ts'
import { attemptsText, consentText, mailAddress, phoneAddress } from './participant-labels.ts'

const AT = '2026-03-09T12:00:00Z'
const DAY = formatDate(AT)
const untried = { attempts: 0, last_attempt_at: null, settled_at: null, next_attempt_at: null }

describe('the attempts of a delivery', () => {
  const cases: [Partial<typeof untried> | object, string][] = [
    [{}, ''],
    [{ next_attempt_at: AT }, ''],
    [{ settled_at: AT }, ''],
    [{ attempts: 1, last_attempt_at: AT, settled_at: AT }, `1 tentative, dernière le ${DAY}`],
    [{ attempts: 2, settled_at: AT }, `2 tentatives, dernière le ${DAY}`],
    [
      { attempts: 3, last_attempt_at: AT, next_attempt_at: AT },
      `3 tentatives, dernière le ${DAY}, prochaine le ${DAY}`,
    ],
  ]
  for (const [delivery, words] of cases)
    test(
      words ? `attempts are described as: ${words}` : 'attempts are not described before the first',
      () => assert.equal(attemptsText({ ...untried, ...delivery }), words),
    )
})

test('the consent text says whether the box was shown and ticked', () => {
  const wording = { version: 1, text: 'J’accepte.', created_at: AT }
  const said = (consent: Parameters<typeof consentText>[0]['consent']) =>
    consentText({ consent, created_at: AT })
  assert.equal(said(null), `Aucune case ne lui a été proposée (réponse du ${DAY}).`)
  assert.match(said({ is_given: false, withdrawn_at: null, wording: null }), /n’a pas été cochée/)
  const withdrawn = { is_given: false, withdrawn_at: AT }
  assert.equal(said({ ...withdrawn, wording: null }), `A retiré son accord le ${DAY}.`)
  assert.match(said({ ...withdrawn, wording }), /, après avoir coché la case :$/)
  assert.equal(said({ is_given: true, withdrawn_at: null, wording }), `A coché la case le ${DAY} :`)
})

describe('the addresses of contact data', () => {
  const phones: [typed: string, address: string | null][] = [
    ['06 12 34 56 78', 'tel:0612345678'],
    ['+33 (0)6.12-34', 'tel:+3361234'],
    ['(0)6 12 34', 'tel:061234'],
    ['06+12+34', 'tel:061234'],
    ['aucun', null],
    ['12', null],
    ['javascript:alert(1)', null],
  ]
  for (const [typed, address] of phones)
    test(`the number « ${typed} » has the address ${address}`, () =>
      assert.equal(phoneAddress(typed), address))

  test('an address with special characters has no further fields', () =>
    assert.equal(mailAddress('a&b?cc=x@y.fr'), 'mailto:a%26b%3Fcc%3Dx%40y.fr'))
})
