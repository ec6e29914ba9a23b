import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { largestDrafts } from '#domain/testing/largest-drafts.ts'
import { createHeavyWork } from '#server/heavy-work/heavy-work.ts'
import { createQuizFromDraft } from '#server/quizzes/create-quiz.ts'
import { createTextParser, type TextParser } from '#server/rich-texts/text-parser.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { createCompiledVersions } from './compiled-versions.ts'

// Runs in test:all, because it builds many large pages.

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const MAX_DELAY_MS = 100
const ROUNDS = 4
const NB_STORES = 6

const app = await createTestApp()
const me = await app.signUp()
const heavyWork = createHeavyWork()
const texts = createTextParser(heavyWork)
after(async () => {
  await heavyWork.close()
  await app.close()
})

/** Returns the largest draft of a shape with texts that all differ. */
const largestDraft = (shape: string): Draft => {
  const found = largestDrafts().find((draft) => draft.shape === shape)
  assert.ok(found)
  const text_blocks = found.draft.text_blocks.map((block, rank) => ({
    ...block,
    content: `${rank} ${block.content}`.slice(0, LIMITS.text_block),
  }))
  return { ...found.draft, text_blocks }
}

/** Stores a draft as a version without the pages of a publication. */
const publish = async (draft: Draft): Promise<string> => {
  const stored = { creator_id: me.user_id, draft, has_mail_server: false }
  const id = await app.db.transaction().execute((change) => createQuizFromDraft(change, stored))
  await me.client.quizzes.publish({ id })
  return id
}

describe('the store of compiled versions', () => {
  test('ten concurrent calls for a version that is not in memory compile it once', async () => {
    const id = await publish(largestDraft('most bold words'))
    let nb_parsed = 0
    const counting: TextParser = {
      ...texts,
      parseAll: (...given) => {
        nb_parsed++
        return texts.parseAll(...given)
      },
    }
    const compiled = createCompiledVersions(app.db, counting)
    const found = await Promise.all(Array.from({ length: 10 }, () => compiled.find(id, 1)))
    assert.equal(nb_parsed, 1)
    for (const one of found) assert.equal(one, found[0])
    assert.equal(compiled.getCached(id, 1), found[0])
    assert.equal(await compiled.find(id, 2), undefined)
  })

  test('a compilation ends when everybody who waits for it has left', async () => {
    const id = await publish(largestDraft('most list items'))
    let seen: AbortSignal | undefined
    const compiled = createCompiledVersions(app.db, {
      ...texts,
      parseAll: (shown, job) => {
        seen = job.signal
        return texts.parseAll(shown, job)
      },
    })
    const callers = [new AbortController(), new AbortController()]
    const waiting = callers.map(({ signal }) =>
      compiled.find(id, 1, signal).catch((error: Error) => error.message),
    )
    while (!seen) await pause(5)
    callers[0]?.abort(new Error('left'))
    assert.equal(await waiting[0], 'left')
    assert.equal(seen.aborted, false)
    callers[1]?.abort(new Error('left'))
    assert.equal(await waiting[1], 'left')
    assert.equal(seen.aborted, true)
    assert.equal(compiled.getCached(id, 1), undefined)
  })

  testInAll(
    'the event loop waits at most 100 ms while the largest version is compiled',
    async () => {
      const id = await publish(largestDraft('most list items'))
      let quietest_ms = Number.POSITIVE_INFINITY
      // Other programs of the machine delay the event loop too, so the best of some rounds counts.
      for (let round = 0; round < ROUNDS && quietest_ms > MAX_DELAY_MS; round++) {
        const compiled = createCompiledVersions(app.db, texts)
        const delay = monitorEventLoopDelay({ resolution: 5 })
        delay.enable()
        const found = await compiled.find(id, 1)
        delay.disable()
        assert.ok(Array.isArray(found?.rich.text_blocks[0]?.content))
        quietest_ms = Math.min(quietest_ms, delay.max / 1e6)
      }
      assert.ok(quietest_ms <= MAX_DELAY_MS, `${quietest_ms} ms`)
    },
  )

  testInAll(
    'the accounted size of large versions is near the growth of the heap, and is returned',
    async () => {
      const id = await publish(largestDraft('most list items'))
      const heapUsed = async (): Promise<number> => {
        for (let turn = 0; turn < 3; turn++) {
          collect()
          await pause(10)
        }
        return process.memoryUsage().heapUsed
      }
      /** Compiles a version in several stores, which are kept until the measurement. */
      const measure = async (): Promise<{ bytes: number; growth: number }> => {
        const before = await heapUsed()
        const stores = Array.from({ length: NB_STORES }, () =>
          createCompiledVersions(app.db, texts),
        )
        for (const store of stores) await store.find(id, 1)
        const growth = (await heapUsed()) - before
        return { growth, bytes: stores.reduce((sum, { figures }) => sum + figures().bytes, 0) }
      }
      const start = await heapUsed()
      const { bytes, growth } = await measure()
      assert.ok(bytes > growth / 2, `${bytes} of ${growth}`)
      assert.ok(bytes < 5 * growth, `${bytes} of ${growth}`)
      assert.ok((await heapUsed()) - start < bytes / 2, 'memory is returned')
    },
  )
})
