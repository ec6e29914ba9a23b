import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { quarterOf } from '#server/db/counter-families.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import {
  type EventReply,
  publishEventSondage,
  THEMES,
} from '#server/testing/quizzes/event-sondage.ts'
import { findDifferences } from './counters/verify-counters.store.ts'
import { indexNextRareAnswers } from './selection/rare-answers.store.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

type Quiz = Awaited<ReturnType<typeof publishEventSondage>>
const blank: EventReply = { comes: true, themes: [], other: '', note: -1, day: '', word: 'Oui' }
const read = (quiz: Quiz, filters: { answer?: string; email?: string; from?: string } = {}) =>
  client.statistics.responses({ id: quiz.id, figures: '1', limit: 500, ...filters })
type Read = Awaited<ReturnType<typeof read>>
const linesOf = ({ stats }: Read, id: string) =>
  stats[id]?.answers.map(({ answer_text, count, percentage }) => [answer_text, count, percentage])
const reachOf = ({ figures }: Read, id: string) => {
  const { nb_participants, nb_seen, nb_answered } = figures?.questions[id] ?? {}
  return [nb_participants, nb_seen, nb_answered]
}

test('all figures of a small example with participants of an earlier version are correct', async () => {
  const quiz = await publishEventSondage(client)
  await quiz.submitBefore({ ...blank, comes: false })
  await quiz.submit({ ...blank, themes: [0, 2], other: ' Le café ', note: 10, day: '2026-03-31' })
  await quiz.submit({ ...blank, themes: [0], note: 3, day: '2026-03-01' })
  await quiz.submit({ ...blank, day: '2027-01-15' })
  const gone = await quiz.submit({ ...blank, comes: false, themes: [1], other: 'rien', note: 0 })
  const all = await read(quiz)
  assert.deepEqual(linesOf(all, quiz.comes), [
    ['Oui', 3, 60],
    ['Non', 2, 40],
  ])
  assert.deepEqual(linesOf(all, quiz.themes), [
    ['Vente', 2, 100],
    ['Gestion, compta', 0, 0],
    ['Site', 1, 50],
    ['Autre', 1, 50],
  ])
  assert.deepEqual(
    linesOf(all, quiz.note)?.filter(([, count]) => count !== 0),
    [
      ['3', 1, 50],
      ['10', 1, 50],
    ],
  )
  assert.deepEqual(linesOf(all, quiz.day), [
    ['mars 2026', 2, 66.7],
    ['janvier 2027', 1, 33.3],
  ])
  assert.deepEqual(
    [quiz.comes, quiz.themes, quiz.note, quiz.day, quiz.word].map((id) => reachOf(all, id)),
    [
      [5, 5, 5],
      [4, 3, 2],
      [4, 3, 2],
      [4, 4, 3],
      [5, 5, 5],
    ],
  )
  const { [quiz.themes]: themes, [quiz.note]: note } = all.figures?.questions ?? {}
  assert.deepEqual(themes?.others, [{ text: 'Le café', count: 1 }])
  assert.equal(themes?.takes_several, true)
  assert.equal(note?.numbers?.mean, 6.5)
  assert.deepEqual(note?.recommendation, {
    nb_promoters: 1,
    nb_passives: 0,
    nb_detractors: 1,
    net: 0,
  })
  const found = await client.statistics.texts({ id: quiz.id, questionId: quiz.themes })
  assert.deepEqual(found.texts, [{ text: 'Le café', count: 1 }])
  const [latest] = all.details
  assert.deepEqual(latest?.answers, [
    { question_text: 'Viendrez-vous ?', answer_text: 'Non', choices: ['Non'] },
    { question_text: 'Quel jour ?', answer_text: '', choices: [] },
    { question_text: 'Un mot ?', answer_text: 'Oui', choices: [] },
  ])
  const several = all.details.at(-2)?.answers[1]
  assert.equal(several?.answer_text, 'Vente, Site, Autre : Le café')
  assert.deepEqual(several?.choices, ['Vente', 'Site', 'Autre : Le café'])
  // Page 2 has the participants that passed it; the other pages have all.
  assert.deepEqual(
    all.figures?.visits?.map(({ version, has_jumps, steps }) => [
      ...[version, has_jumps],
      ...steps.map(({ count }) => count),
    ]),
    [
      [2, true, 4, 4, 3, 4, 4],
      [1, false, 1, 1, 1, 1],
    ],
  )
  await client.participants.remove({ id: quiz.id, participantId: gone.participant_uuid })
  assert.deepEqual(reachOf(await read(quiz), quiz.note), [3, 3, 2])
  assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
})

test('participants can be filtered by one of multiple answers, by « Autre » and by a number', async () => {
  const quiz = await publishEventSondage(client)
  await quiz.submit({ ...blank, themes: [0, 2], note: 7, word: 'a' })
  await quiz.submit({ ...blank, themes: [2], other: 'x', note: 0, word: 'b' })
  await quiz.submit({ ...blank, other: 'y', note: 10, word: 'c' })
  const wordsOf = async (answer: string) => {
    const { stats, details } = await read(quiz, { answer })
    const words = stats[quiz.word]?.answers.map(({ answer_text }) => answer_text) ?? []
    assert.equal(details.length, words.length)
    return words.join('')
  }
  const [first = '', second = '', third = ''] = quiz.theme_ids
  assert.equal(await wordsOf(first), 'a')
  assert.equal(await wordsOf(second), '')
  assert.equal(await wordsOf(third), 'ab')
  assert.equal(await wordsOf(`${quiz.themes}:other`), 'bc')
  assert.equal(await wordsOf(`${quiz.note}:0`), 'b')
  assert.equal(await wordsOf(`${quiz.note}:10`), 'c')
  assert.equal(await wordsOf(`${quiz.note}:11`), '')
  const { figures } = await read(quiz)
  const choices = figures?.choices.questions.find(({ id }) => id === quiz.themes)
  assert.deepEqual(
    choices?.answers.map(({ text }) => text),
    [...THEMES, 'Autre'],
  )
  await refuses(read(quiz, { answer: `${quiz.id}:other` }), 422, 'invalid')
  await refuses(read(quiz, { answer: `${quiz.note}:x` }), 422, 'invalid')
})

test('rare answers are listed from any slot, and deleted with their participants', async () => {
  const quiz = await publishEventSondage(client)
  await quiz.submit({ ...blank, themes: [2], word: 'a' })
  const gone = await quiz.submit({ ...blank, themes: [0, 2], other: 'x', note: 4, word: 'b' })
  await quiz.submit({ ...blank, themes: [0, 1, 2], word: 'c' })
  // Participants of the last minute are not listed yet.
  await app.pool.query(
    "update responses set created_at = created_at - interval '5 minutes' where quiz_id = $1",
    [quiz.id],
  )
  await indexNextRareAnswers(app.db, quiz.id)
  const listed = async () => {
    const { rows } = await app.pool.query<{ rank: number; answer_position: number }>(
      'select rank, answer_position from rare_answers where quiz_id = $1 order by 1, 2',
      [quiz.id],
    )
    return rows.map(({ rank, answer_position }) => `${rank}:${answer_position}`).join(' ')
  }
  // Slot 1 is the attendance, slots 2 to 5 are the themes, slot 6 is the score.
  assert.equal(await listed(), '1:0 1:0 1:0 2:0 2:0 2:1 2:2 2:2 2:2 2:3 6:4')
  const [, , site = ''] = quiz.theme_ids
  assert.equal((await read(quiz, { answer: site })).details.length, 3)
  assert.equal((await read(quiz, { answer: `${quiz.note}:4` })).details.length, 1)
  await client.participants.remove({ id: quiz.id, participantId: gone.participant_uuid })
  assert.equal(await listed(), '1:0 1:0 2:0 2:1 2:2 2:2')
  assert.equal((await read(quiz, { answer: site })).details.length, 2)
})

test('a removed participant is not subtracted from pages that were skipped', async () => {
  const quiz = await publishEventSondage(client)
  const stepsOf = async () =>
    (await read(quiz)).figures?.visits?.[0]?.steps.map(({ count }) => count)
  for (const [step, count] of [9, 8, 6, 7].entries())
    await app.pool.query(
      `insert into visit_counts (quiz_id, version, quarter, step, count)
      values ($1, 2, ${quarterOf('now()')}, $2, $3)`,
      [quiz.id, step + 1, count],
    )
  const passing = await quiz.submit({ ...blank, comes: true })
  const leading = await quiz.submit({ ...blank, comes: false })
  assert.deepEqual(await stepsOf(), [9, 8, 6, 7, 2])
  await client.participants.remove({ id: quiz.id, participantId: leading.participant_uuid })
  assert.deepEqual(await stepsOf(), [8, 7, 6, 6, 1])
  await client.participants.remove({ id: quiz.id, participantId: passing.participant_uuid })
  assert.deepEqual(await stepsOf(), [7, 6, 5, 5, 0])
})

describe('any replies and removals', () => {
  const given: fc.Arbitrary<EventReply & { is_early: boolean; is_removed: boolean }> = fc.record({
    comes: fc.boolean(),
    themes: fc.subarray([0, 1, 2]),
    other: fc.constantFrom('', 'Le café', 'La vue, de là'),
    note: fc.integer({ min: -1, max: 10 }),
    day: fc.constantFrom('', '2026-02-28', '2026-02-01', '2024-12-31'),
    word: fc.constantFrom('a', 'b'),
    is_early: fc.boolean(),
    is_removed: fc.boolean(),
  })
  const tally = (words: readonly string[]) =>
    new Map([...Map.groupBy(words, String)].map(([word, all]) => [word, all.length]))
  const MONTHS: Record<string, string> = {
    '2024-12': 'décembre 2024',
    '2026-02': 'février 2026',
  }

  /** Returns the rows with a count, recounted from the sent replies. */
  const recount = (quiz: Quiz, all: EventReply[], late: EventReply[]) => {
    const seen = late.filter(({ comes }) => comes)
    const themes = seen.map((visit) => [
      ...visit.themes.map((rank) => THEMES[rank] ?? ''),
      ...(visit.other ? ['Autre'] : []),
    ])
    const notes = seen.flatMap(({ note }) => (note < 0 ? [] : `${note}`))
    const days = late.flatMap(({ day }) => (day ? (MONTHS[day.slice(0, 7)] ?? '') : []))
    const words = (list: EventReply[]) => list.map(({ word }) => word)
    const themed = themes.filter((chosen) => chosen.length > 0).length
    const reach = (nb_seen: number, nb_answered: number) => [late.length, nb_seen, nb_answered]
    return new Map([
      [
        quiz.comes,
        {
          lines: tally(all.map(({ comes }) => (comes ? 'Oui' : 'Non'))),
          reach: [all.length, all.length, all.length],
        },
      ],
      [quiz.themes, { lines: tally(themes.flat()), reach: reach(seen.length, themed) }],
      [quiz.note, { lines: tally(notes), reach: reach(seen.length, notes.length) }],
      [quiz.day, { lines: tally(days), reach: reach(late.length, days.length) }],
      [quiz.word, { lines: tally(words(all)), reach: [all.length, all.length, all.length] }],
    ])
  }
  const check = (quiz: Quiz, found: Read, all: EventReply[], late: EventReply[]): void => {
    for (const [id, { lines, reach }] of recount(quiz, all, late)) {
      if (reach[0] === 0) continue
      assert.deepEqual(reachOf(found, id), reach)
      const counted = linesOf(found, id)?.filter(([, count]) => count !== 0) ?? []
      assert.deepEqual(new Map(counted.map(([text, count]) => [text, count])), lines)
    }
  }

  test('the figures equal a recount for any replies and removals, for all participants and for a selection', () =>
    fc.assert(
      fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 14 }), async (list) => {
        const quiz = await publishEventSondage(client)
        const removed: string[] = []
        for (const one of list) {
          const submit = one.is_early ? quiz.submitBefore : quiz.submit
          const { participant_uuid } = await submit(one)
          if (one.is_removed) removed.push(participant_uuid)
        }
        for (const participantId of removed)
          await client.participants.remove({ id: quiz.id, participantId })
        const left = list.filter(({ is_removed }) => !is_removed)
        const isLate = ({ is_early }: (typeof list)[number]) => !is_early
        check(quiz, await read(quiz), left, left.filter(isLate))
        const coming = left.filter(({ comes }) => comes)
        check(quiz, await read(quiz, { answer: quiz.yes }), coming, coming.filter(isLate))
        assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
      }),
      { numRuns: countCases(12), endOnFailure: true },
    ))
})
