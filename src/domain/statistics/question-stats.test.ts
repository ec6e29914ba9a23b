import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { percentageOf } from '#domain/common/numbers.ts'
import { QUESTION_TYPES } from '#domain/common/vocabulary.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { canChooseSeveral } from '#domain/run/replies.ts'
import { answerOf, draftOf, drafts, questionOf } from '#domain/testing/drafts.ts'
import type { AnsweredVersion, ChoiceCount } from './asked-questions.ts'
import { questionStats, type TextCount } from './question-figures.ts'

const versionOf = (
  version: number,
  nb_responses: number,
  questions: Parameters<typeof questionOf>[],
): AnsweredVersion => ({
  version,
  nb_responses,
  snapshot: takeSnapshot(
    draftOf({
      questions: questions.map(([id, more], global_position) =>
        questionOf(id, { ...more, global_position }),
      ),
    }),
  ),
})
const choice = (version: number, answer_position: number, count: number): ChoiceCount => ({
  version,
  question_position: 0,
  answer_position,
  count,
})
const lines = (stats: ReturnType<typeof questionStats>, id: string) =>
  stats.get(id)?.answers.map((line) => [line.answer_text, line.count, line.percentage])

test('percentages have one decimal, and without participants they are 0', () => {
  assert.deepEqual([percentageOf(1, 3), percentageOf(2, 3), percentageOf(0, 0)], [33.3, 66.7, 0])
})

test('a percentage between two tenths is rounded up, also if binary fractions cannot represent it: 201 of 400 is 50.25', () => {
  const halves: [count: number, total: number, expected: number][] = [
    [201, 400, 50.3],
    [1, 16, 6.3],
    [1, 2_000, 0.1],
    [1_999, 2_000, 100],
  ]
  for (const [count, total, expected] of halves)
    assert.equal(percentageOf(count, total), expected, `${count} of ${total}`)
})

test('percentages are rounded to the nearest tenth', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(5_000), (total, some) => {
      const count = Math.min(some, total)
      const tenths = percentageOf(count, total) * 10
      assert.ok(Math.abs(tenths - Math.round(tenths)) < 1e-9)
      const [twice, exact] = [2 * Math.round(tenths) * total, 2_000 * count]
      assert.ok(twice - total <= exact && exact < twice + total, `${count} of ${total}`)
    }),
  ))

describe('questionStats (product 10.2, 10.3)', () => {
  const two = [answerOf('a', { text: 'Oui' }), answerOf('b', { text: 'Non' })]

  test('every answer has a line, also without participants, in the order of the questionnaire', () => {
    const stats = questionStats([versionOf(1, 4, [['q', { answers: two }]])], [choice(1, 1, 4)], [])
    assert.deepEqual(lines(stats, 'q'), [
      ['Oui', 0, 0],
      ['Non', 4, 100],
    ])
  })

  test('a reworded answer is one line with its newest text, and names its earlier texts', () => {
    const reworded = [answerOf('a', { text: 'Bien sûr' }), answerOf('b', { text: 'Non' })]
    const versions = [
      versionOf(1, 3, [['q', { answers: two }]]),
      versionOf(2, 1, [['q', { answers: reworded, text: 'Alors ?' }]]),
    ]
    const stats = questionStats(versions, [choice(1, 0, 2), choice(1, 1, 1), choice(2, 0, 1)], [])
    assert.equal(stats.get('q')?.question_text, 'Alors ?')
    assert.deepEqual(lines(stats, 'q'), [
      ['Bien sûr', 3, 75],
      ['Non', 1, 25],
    ])
    assert.deepEqual(
      stats.get('q')?.answers.map(({ filter, earlier_texts }) => [filter, earlier_texts]),
      [
        ['a', ['Oui']],
        ['b', undefined],
      ],
    )
  })

  test('percentages refer to participants who had the question', () => {
    const versions = [
      versionOf(1, 6, [['q', { answers: two }]]),
      versionOf(2, 4, [['r', { answers: two }]]),
    ]
    const stats = questionStats(versions, [choice(1, 0, 3), choice(1, 1, 3), choice(2, 0, 4)], [])
    assert.deepEqual([...stats.keys()], ['r', 'q'])
    assert.deepEqual(lines(stats, 'q'), [
      ['Oui', 3, 50],
      ['Non', 3, 50],
    ])
  })

  test('a version without participants does not count', () => {
    const versions = [versionOf(1, 1, [['q', { answers: two }]]), versionOf(2, 0, [['r', {}]])]
    assert.deepEqual([...questionStats(versions, [choice(1, 0, 1)], []).keys()], ['q'])
  })

  test('an open question has its most frequent texts, then the others as one line', () => {
    const versions = [versionOf(1, 8, [['t', { type: 'text' }]])]
    const texts = [
      { question_id: 't', text: 'Lyon', count: 4 },
      { question_id: 't', text: 'Lille', count: 2 },
      { question_id: 'u', text: 'Nantes', count: 9 },
    ]
    assert.deepEqual(lines(questionStats(versions, [], texts), 't'), [
      ['Lyon', 4, 50],
      ['Lille', 2, 25],
      ['Autres réponses', 2, 25],
    ])
  })

  test('the counts of a question add up to the participants who had it', () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat(9), { minLength: 2, maxLength: 2 }), { minLength: 1 }),
        (all) => {
          const versions = all.map((counts, index) =>
            versionOf(index + 1, (counts[0] ?? 0) + (counts[1] ?? 0), [['q', { answers: two }]]),
          )
          const choices = all.flatMap((counts, index) =>
            counts.map((count, rank) => choice(index + 1, rank, count)),
          )
          const total = versions.reduce((sum, { nb_responses }) => sum + nb_responses, 0)
          const counted = questionStats(versions, choices, []).get('q')?.answers ?? []
          assert.equal(
            counted.reduce((sum, { count }) => sum + count, 0),
            total,
          )
        },
      ),
    ))
})

/** Question and reply of one participant; `answer` is the rank of a choice, from 0. */
type Given = {
  version: number
  id: string
  question: number
  answer: number | undefined
  answer_id: string | undefined
  text: string
}

/** Versions of one quiz, randomly reworded and reordered, with the replies of their participants. */
const histories = fc
  .array(fc.tuple(drafts, fc.array(fc.array(fc.nat(30)), { maxLength: 15 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) => {
    const versions: AnsweredVersion[] = []
    const given: Given[] = []
    for (const [index, [draft, participants]] of all.entries()) {
      const version = index + 1
      // A question keeps its type in all versions, and a choice has at least one answer.
      const questions = draft.questions
        .map((question) => {
          const type = QUESTION_TYPES[Number(question.id.slice(1)) % 3] ?? 'text'
          return { ...question, type }
        })
        .filter(({ type, answers }) => type !== 'multiple_choice' || answers.some(isWritten))
      const snapshot = takeSnapshot({ ...draft, questions })
      versions.push({ version, nb_responses: participants.length, snapshot })
      for (const picks of participants) {
        for (const [question, { id, type, answers }] of snapshot.questions.entries()) {
          const pick = picks[question] ?? 0
          const isChoice = type === 'multiple_choice'
          const answer = isChoice ? pick % answers.length : undefined
          const text = answers[answer ?? -1]?.text ?? `texte ${pick}`
          const answer_id = answers[answer ?? -1]?.id
          given.push({ version, id, question, answer, answer_id, text })
        }
      }
    }
    return { versions, given }
  })
const isWritten = ({ text }: { text: string }) => text.trim() !== ''

describe('statistics of any versions and replies', () => {
  const statsOf = ({ versions, given }: { versions: AnsweredVersion[]; given: Given[] }) => {
    const choices: ChoiceCount[] = []
    const texts: TextCount[] = []
    for (const same of Map.groupBy(
      given,
      ({ version, question, answer }) => `${version}/${question}/${answer}`,
    ).values()) {
      const [one] = same
      if (one?.answer !== undefined)
        choices.push({
          version: one.version,
          question_position: one.question,
          answer_position: one.answer,
          count: same.length,
        })
    }
    const open = given.filter(({ answer }) => answer === undefined)
    for (const same of Map.groupBy(open, ({ id, text }) => `${id}/${text}`).values()) {
      const [one] = same
      if (one) texts.push({ question_id: one.id, text: one.text, count: same.length })
    }
    texts.sort((a, b) => b.count - a.count)
    return questionStats(versions, choices, texts)
  }

  test('the statistics list the questions that a participant had', () =>
    fc.assert(
      fc.property(histories, (history) => {
        const asked = new Set(history.given.map(({ id }) => id))
        assert.deepEqual([...statsOf(history).keys()].sort(), [...asked].sort())
      }),
    ))

  test('counts add up to the participants who replied, and the shares of a single choice add up to 100', () =>
    fc.assert(
      fc.property(histories, (history) => {
        for (const [id, { answers }] of statsOf(history)) {
          const total = history.given.filter((reply) => reply.id === id).length
          assert.equal(
            answers.reduce((sum, { count }) => sum + count, 0),
            total,
          )
          for (const { count, percentage } of answers)
            assert.ok(Math.abs(percentage - (100 * count) / total) < 0.1)
          const asked = history.versions.flatMap(({ snapshot }) => snapshot.questions)
          if (asked.some((question) => question.id === id && canChooseSeveral(question))) continue
          const tenths = answers.map(({ percentage }) => Math.round(percentage * 10))
          assert.equal(
            tenths.reduce((sum, value) => sum + value, 0),
            total === 0 ? 0 : 1_000,
          )
        }
      }),
    ))

  test('each answer has the count of participants who gave it in any wording, and each text those who typed it', () =>
    fc.assert(
      fc.property(histories, (history) => {
        for (const [id, { answers }] of statsOf(history)) {
          const own = history.given.filter((reply) => reply.id === id)
          const isOpen = own.some(({ answer }) => answer === undefined)
          const shown = answers.filter(({ answer_text }) => answer_text !== 'Autres réponses')
          if (isOpen) assert.ok(shown.length <= 10)
          else assert.equal(shown.length, answers.length)
          for (const { answer_text, filter, count, earlier_texts = [] } of shown) {
            const same = own.filter((reply) =>
              isOpen ? reply.text === answer_text : reply.answer_id === filter,
            )
            assert.equal(count, same.length, answer_text)
            const texts = [answer_text, ...earlier_texts]
            assert.equal(new Set(texts).size, texts.length)
            assert.ok(same.every(({ text }) => texts.includes(text)))
          }
        }
      }),
    ))
})
