import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sharesOf } from '#domain/common/numbers.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { findDifferences } from './counters/verify-counters.store.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

type Version = Awaited<ReturnType<typeof client.publicQuiz.snapshot>>['snapshot']
/** Reply of one participant to one question. */
type Given = { question_id: string; answer_text: string; sent: string }

/** Edits between two versions; each edit applies to the first suitable items. */
const EDITS: Record<string, (quiz: SampleQuiz) => Promise<unknown>> = {
  reword: async ({ id }) => {
    const { questions } = await client.questions.list({ id })
    const question = questions.find(({ type }) => type === 'multiple_choice')
    if (!question) return
    const answers = question.answers.map((answer) => ({ ...answer, text: `${answer.text}'` }))
    await client.questions.saveAnswers({ id: question.id, body: { answers } })
  },
  rename: async ({ id }) => {
    const [question] = (await client.questions.list({ id })).questions
    await client.questions.update({ id: question?.id ?? '', body: { text: 'Autrement ?' } })
  },
  turnAnswersRound: async ({ id }) => {
    const { questions } = await client.questions.list({ id })
    const question = questions.find(({ type }) => type === 'multiple_choice')
    if (!question) return
    const answers = question.answers
      .toReversed()
      .map((answer, position) => ({ ...answer, position }))
    await client.questions.saveAnswers({ id: question.id, body: { answers } })
  },
  addAnswer: async ({ id }) => {
    const { questions } = await client.questions.list({ id })
    const question = questions.find(({ type }) => type === 'multiple_choice')
    if (question)
      await client.questions.addAnswer({ id: question.id, body: { text: 'Encore', score: 2 } })
  },
  addChoice: ({ id }) =>
    client.questions.create({
      id,
      body: {
        type: 'multiple_choice',
        text: 'Et ?',
        global_position: 0,
        answers: [
          { text: 'Oui', score: 0 },
          { text: 'Non', score: 1 },
        ],
      },
    }),
  addText: ({ id }) =>
    client.questions.create({ id, body: { type: 'text', text: 'Un mot ?', global_position: 1 } }),
  removeFirst: async ({ id }) => {
    const [question, ...others] = (await client.questions.list({ id })).questions
    if (question && others.length > 0) await client.questions.remove({ id: question.id })
  },
}

const visit = fc.record({
  /** Rank among the versions so far, because some visitors began long ago. */
  version: fc.nat(),
  picks: fc.array(fc.nat(14), { minLength: 12, maxLength: 12 }),
})
type Chapter = { edits: string[]; visits: { version: number; picks: number[] }[] }
const histories: fc.Arbitrary<Chapter[]> = fc.array(
  fc.record({
    edits: fc.array(fc.constantFrom(...Object.keys(EDITS)), { maxLength: 3 }),
    visits: fc.array(visit, { maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 4 },
)

/** Submits replies to a version according to these picks, and returns them. */
const take = async (quiz: SampleQuiz, { version, questions }: Version, picks: number[]) => {
  const replies = questions.map(({ id, type, answers }, index) => {
    const pick = picks[index % picks.length] ?? 0
    const answer = answers[pick % answers.length]
    const typed = type === 'email' ? `adresse${pick}@exemple.fr` : `texte ${pick}`
    const text = answer?.text ?? typed
    return { id, sent: type === 'multiple_choice' ? (answer?.id ?? '') : text, text }
  })
  const answers = Object.fromEntries(replies.map(({ id, sent }) => [id, sent]))
  await app.client.publicQuiz.submit({ id: quiz.id, body: { answers, version } })
  return replies.map(({ id, sent, text }): Given => ({ question_id: id, answer_text: text, sent }))
}

const tally = (texts: readonly string[]): Map<string, number> =>
  new Map([...Map.groupBy(texts, String)].map(([text, all]) => [text, all.length]))

/** Plays a history on a new quiz. Returns its versions and the replies of each participant in order. */
const play = async (history: Chapter[]) => {
  const quiz = await publishedScoreQuiz(client)
  const versions: Version[] = []
  const given: Given[][] = []
  const taken = new Set<Version>()
  for (const { edits, visits } of history) {
    for (const edit of edits) await EDITS[edit]?.(quiz)
    await client.quizzes.publish({ id: quiz.id })
    versions.push((await app.client.publicQuiz.snapshot({ id: quiz.id })).snapshot)
    for (const { version, picks } of visits) {
      const chosen = versions[version % versions.length]
      assert.ok(chosen)
      given.push(await take(quiz, chosen, picks))
      taken.add(chosen)
    }
  }
  return { quiz, taken: [...taken], given }
}

type Line = {
  answer_text: string
  earlier_texts?: string[] | undefined
  filter?: string | undefined
  count: number
  percentage: number
}
const sumOf = (lines: readonly Line[]): number => lines.reduce((sum, { count }) => sum + count, 0)

/** Asserts that each answer has one line with all its wordings, and with its count, which may be 0. */
const checkChoices = (lines: Line[], offered: Set<string>, counted: Map<string, number>): void => {
  assert.deepEqual(
    new Set(
      lines.flatMap(({ answer_text, earlier_texts = [] }) => [answer_text, ...earlier_texts]),
    ),
    offered,
  )
  assert.equal(new Set(lines.map(({ filter }) => filter)).size, lines.length)
  for (const { filter = '', count } of lines) assert.equal(count, counted.get(filter) ?? 0, filter)
}

/** Asserts that the lines contain the ten most frequent texts with their counts. */
const checkTexts = (lines: Line[], counted: Map<string, number>): void => {
  const frequent = lines.filter(({ answer_text }) => answer_text !== 'Autres réponses')
  const highest = [...counted.values()].sort((a, b) => b - a).slice(0, 10)
  assert.deepEqual(
    frequent.map(({ count }) => count),
    highest,
  )
  for (const { answer_text, count } of frequent)
    assert.equal(count, counted.get(answer_text), answer_text)
}

test('for random edits and replies the figures equal a recount', () =>
  fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const { quiz, taken, given } = await play(history)
      const { stats, details } = await client.statistics.responses({ id: quiz.id, limit: 500 })
      assert.deepEqual(
        details.map(({ answers }) => answers.map(({ answer_text }) => answer_text)).reverse(),
        given.map((replies) => replies.map(({ answer_text }) => answer_text)),
      )
      const asked = Map.groupBy(
        taken.flatMap(({ questions }) => questions),
        ({ id }) => id,
      )
      assert.deepEqual(Object.keys(stats).sort(), [...asked.keys()].sort())
      for (const [id, appearances] of asked) {
        const lines = stats[id]?.answers ?? []
        const own = given.flat().filter(({ question_id }) => question_id === id)
        const texts = own.map(({ answer_text }) => answer_text)
        assert.equal(sumOf(lines), texts.length, 'the sum is those who answered')
        assert.deepEqual(
          lines.map(({ percentage }) => percentage),
          sharesOf(lines.map(({ count }) => count)),
        )
        const offered = appearances.flatMap(({ answers }) => answers.map(({ text }) => text))
        if (appearances[0]?.type === 'multiple_choice')
          checkChoices(lines, new Set(offered), tally(own.map(({ sent }) => sent)))
        else checkTexts(lines, tally(texts))
      }
      assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
    }),
    { numRuns: countCases(15), endOnFailure: true },
  ))
