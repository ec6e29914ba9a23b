import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { certificateSnapshot } from '#domain/testing/certificate-snapshot.ts'
import {
  CERTIFICATE_NUMBER_BYTES,
  certificateInsertions,
  certificateName,
  certificatePercent,
  earnsCertificate,
  formatCertificateNumber,
  parseCertificateNumber,
} from './certificate.ts'

const questionOf = (
  id: string,
  scores: readonly number[],
  more: Partial<SnapshotQuestion> = {},
): SnapshotQuestion => ({
  id,
  text: id,
  type: 'multiple_choice',
  position: 0,
  global_position: 0,
  page_number: 1,
  answers: scores.map((score, position) => ({
    id: `${id}${position}`,
    text: 'A',
    position,
    score,
    associations: [],
  })),
  ...more,
})

/** Returns a version whose runs can have 0 to `greatest` points, with a run of `points`. */
const runOf = (points: number, greatest: number, certificate_percent: number | null) => ({
  snapshot: certificateSnapshot([questionOf('a', [0, points, greatest])], { certificate_percent }),
  replies: { a: 'a1' },
})

describe('the certificate of a run', () => {
  const cases: [points: number, greatest: number, wanted: number | null, earned: boolean][] = [
    [99, 200, 50, false],
    [100, 200, 50, true],
    [2, 3, 66, true],
    [2, 3, 67, false],
    [0, 10, 0, true],
    [10, 10, 100, true],
    [9_999, 10_000, 100, false],
    [10, 10, null, false],
  ]
  for (const [points, greatest, wanted, earned] of cases)
    test(`${points} of ${greatest} points ${earned ? 'give' : 'give no'} certificate from ${wanted} % on`, () => {
      const { snapshot, replies } = runOf(points, greatest, wanted)
      assert.equal(earnsCertificate(snapshot, replies), earned)
    })

  test('the printed percent is rounded down, so that 49.5 % is never printed as 50', () => {
    const { snapshot, replies } = runOf(99, 200, 50)
    assert.equal(certificatePercent(snapshot, replies), 49)
  })

  test('the range starts at the least possible points, and skipped pages do not count', () => {
    const [first, second] = [
      questionOf('a', [-2, 2], {}),
      questionOf('b', [0, 100], { page_number: 2, position: 1, global_position: 1 }),
    ]
    const jumping = {
      ...first,
      answers: first.answers.map((answer) => ({ ...answer, jump_to: 0 })),
    }
    const snapshot = certificateSnapshot([jumping, second], { certificate_percent: 50 })
    assert.equal(certificatePercent(snapshot, { a: 'a1' }), 100)
    assert.equal(certificatePercent(snapshot, { a: 'a0' }), 0)
  })

  test('a quiz without a score, or with equal points for all replies, gives no certificate', () => {
    const base = certificateSnapshot([questionOf('a', [0, 4])], { certificate_percent: 0 })
    const same = certificateSnapshot([questionOf('a', [4, 4])], { certificate_percent: 0 })
    const others: Snapshot[] = [
      { ...base, quiz_mode: 'profils' },
      { ...base, quiz_mode: null },
      { ...base, quiz: { ...base.quiz, type: 'sondage' } },
      same,
    ]
    for (const snapshot of others) {
      assert.equal(certificatePercent(snapshot, { a: 'a1' }), null)
      assert.equal(earnsCertificate(snapshot, { a: 'a1' }), false)
    }
  })

  test('a run without a name has the name of the invitation, and a given name wins', () => {
    const question = {
      ...questionOf('name', []),
      type: 'text' as const,
      contact_role: 'last_name' as const,
    }
    const snapshot = certificateSnapshot([question], {})
    const invited = { first_name: 'Léa', last_name: 'Martin' }
    assert.equal(certificateName({ snapshot, replies: {}, invited }), 'Léa Martin')
    assert.equal(certificateName({ snapshot, replies: { name: 'Durand' }, invited }), 'Durand')
    assert.equal(certificateName({ snapshot, replies: {} }), null)
    const facts = { snapshot, replies: {}, invited, result: null, percent: 100 }
    const values = certificateInsertions(facts, '2 mars 2026')
    assert.deepEqual([values.get('nom'), values.get('prénom')], ['Léa Martin', 'Léa'])
  })

  test('a run earns a certificate exactly if its exact share reaches the percent', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), fc.integer({ min: 0, max: 100 }), (a, b, wanted) => {
        const [points, greatest] = [Math.min(a, b), Math.max(a, b) + 1]
        const { snapshot, replies } = runOf(points, greatest, wanted)
        const printed = certificatePercent(snapshot, replies) ?? -1
        assert.equal(earnsCertificate(snapshot, replies), printed >= wanted)
        assert.ok(printed * greatest <= points * 100)
      }),
    )
  })
})

describe('the number of a certificate', () => {
  const bytes = fc.uint8Array({
    minLength: CERTIFICATE_NUMBER_BYTES,
    maxLength: CERTIFICATE_NUMBER_BYTES,
  })

  test('the number of a certificate is read back from every usual spelling', () => {
    fc.assert(
      fc.property(bytes, (random) => {
        const number = formatCertificateNumber(random)
        assert.match(number, /^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
        const spellings = [number, number.toLowerCase(), number.replaceAll('-', ' ')]
        const lookalike = number.replaceAll('0', 'o').replaceAll('1', 'l')
        for (const typed of [...spellings, lookalike])
          assert.deepEqual(parseCertificateNumber(typed), Uint8Array.from(random))
      }),
    )
  })

  test('a text that is not a number of a certificate is refused', () => {
    for (const typed of [
      '',
      '7K3M',
      '7K3M-9XQ2-0V4T-HB8',
      'UUUU-UUUU-UUUU-UUUU',
      '7K3M-9XQ2-0V4T-HB8C1',
    ])
      assert.equal(parseCertificateNumber(typed), undefined)
  })
})
