import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { z } from 'zod'
import { drafts } from '#contract/drafts.ts'
import { editedDraft } from '#contract/edited-draft.ts'
import { parseBody } from './request-body.ts'
import { validateInPieces } from './validate-in-pieces.ts'
import { parseShape } from './validation.ts'

const list = <T>(count: number, make: (rank: number) => T): T[] =>
  Array.from({ length: count }, (_, rank) => make(rank))

const largeSave = () => ({
  based_on: 1,
  quiz: { name: ' Le plus grand ' },
  questions: list(500, () => ({ id: randomUUID().toUpperCase(), text: 'é'.repeat(500) })),
  answers: list(9_000, () => ({ id: randomUUID(), question_id: randomUUID(), text: 'Oui' })),
})
/** One question that has nearly all items of the body. */
const deepDraft = () => ({
  questions: [
    {
      type: 'multiple_choice',
      answers: list(90, () => ({
        text: 'Oui',
        associations: list(90, () => ({ resultId: randomUUID(), isChecked: true })),
      })),
    },
  ],
})

/** Returns the number of turns of the event loop during `work`, in which each reading of the clock is 10 ms later. */
const countTurns = async (t: TestContext, work: () => Promise<unknown>): Promise<number> => {
  let now_ms = 0
  const clock = t.mock.method(performance, 'now', () => (now_ms += 10))
  let nb_turns = 0
  let isRunning = true
  const count = (): void => {
    nb_turns++
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isRunning = false
  clock.mock.restore()
  return nb_turns
}

const outcomeOf = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work()
  } catch (error) {
    return String(error)
  }
}

describe('the validation of a large body', () => {
  const bodies: [string, z.ZodType, () => object][] = [
    ['a save with long lists', drafts.save.body, largeSave],
    ['a draft with lists in lists', editedDraft, deepDraft],
  ]
  for (const [name, shape, make] of bodies) {
    test(`${name} is read as at once`, async () => {
      const body = make()
      assert.deepEqual(await validateInPieces(shape, body), parseShape(shape, body))
    })
    test(`${name} lets other work run meanwhile`, async (t) => {
      const body = make()
      assert.ok((await countTurns(t, () => validateInPieces(shape, body))) > 1)
    })
  }
  test('a wrong item is refused with its path', async () => {
    const body = largeSave()
    Object.assign(body.answers[8_999] ?? {}, { text: 'é'.repeat(501) })
    const shape: z.ZodType = drafts.save.body
    const outcome = await outcomeOf(() => validateInPieces(shape, body))
    assert.match(String(outcome), /answers\.8999\.text/)
    assert.equal(outcome, await outcomeOf(() => parseShape(shape, body)))
  })
  test('a limit of a list or a rule of an object holds in pieces too', async () => {
    const shape = z
      .object({
        rows: z
          .array(z.object({ a: z.int() }))
          .max(1_000)
          .default([]),
        b: z.int(),
      })
      .strict()
      .refine(({ rows, b }) => rows.length < b, { error: 'Trop de lignes' })
    const rows = (count: number) => list(count, (a) => ({ a }))
    for (const body of [
      { rows: rows(900), b: 901 },
      { rows: rows(900), b: 900 },
      { rows: rows(1_001), b: 2_000 },
      { rows: rows(900), b: 2_000, c: 1 },
      { rows: rows(900) },
      list(900, () => 1),
    ])
      assert.deepEqual(
        await outcomeOf(() => validateInPieces(shape, body)),
        await outcomeOf(() => parseShape(shape as z.ZodType, body)),
      )
  })
})

test('the steps of reading a large body let other work run between them', async (t) => {
  const body = { texts: list(40_000, () => 'é'.repeat(50)) }
  const bytes = Buffer.from(JSON.stringify(body))
  assert.ok((await countTurns(t, () => parseBody(bytes, 100_000))) > 1)
})
