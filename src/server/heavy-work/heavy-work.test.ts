import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { ApiError } from '#server/http/edge/errors.ts'
import { createOpenJobs, jobOf } from '#server/testing/heavy-work/open-jobs.ts'
import { createHeavyWork } from './heavy-work.ts'
import { JOB_LIMITS, type JobKind } from './job-limits.ts'
import { GROUPS } from './resources.ts'

const work = createHeavyWork()
after(work.close)
describe('turns', () => {
  test('a creator runs at most two jobs at a time, whatever their kinds are', async () => {
    const { add, nbOf, running } = createOpenJobs()
    const kinds: JobKind[] = ['figures', 'import', 'versions', 'mail', 'figures']
    const all = kinds.map((kind) => add(jobOf(kind, 'a')))
    for (let left = kinds.length; left > 0; left--) {
      await setImmediate()
      assert.equal(nbOf('a'), Math.min(2, left))
      running[0]?.end()
      await setImmediate()
    }
    await Promise.all(all)
  })

  test('a creator with many jobs delays another creator by one job at most', async () => {
    const { add, order, running } = createOpenJobs()
    const all = Array.from({ length: 10 }, () => add(jobOf('figures', 'a')))
    all.push(add(jobOf('figures', 'b')), add(jobOf('figures', 'c')))
    await setImmediate()
    running[0]?.end()
    await setImmediate()
    assert.deepEqual(order.slice(0, 4), ['a', 'a', 'b', 'c'])
    while (running.length > 0) {
      running[0]?.end()
      await setImmediate()
    }
    await Promise.all(all)
  })

  test('the documents of one creator leave a thread to the document of another creator', async () => {
    const { add, nbOf, running } = createOpenJobs()
    const all = Array.from({ length: 4 }, () => add(jobOf('document', 'a')))
    all.push(add(jobOf('document', 'b')))
    await setImmediate()
    assert.equal(nbOf('b'), 1)
    assert.ok(nbOf('a') >= 1)
    while (running.length > 0) {
      running[0]?.end()
      await setImmediate()
    }
    await Promise.all(all)
  })

  test('a network runs one job at a time over the quizzes of all creators', async () => {
    const { add, running } = createOpenJobs()
    const all = ['a', 'b', 'c'].map((owner) => add(jobOf('figures', owner, { network: '::1' })))
    for (let left = 3; left > 0; left--) {
      await setImmediate()
      assert.equal(running.length, 1)
      running[0]?.end()
      await setImmediate()
    }
    await Promise.all(all)
  })

  test('jobs of the creator alternate with those of visitors, and networks take turns', async () => {
    const { add, order, running } = createOpenJobs()
    const networks = ['x', 'x', 'y', 'y', undefined, undefined, undefined]
    const all = [undefined, undefined, ...networks].map((network) =>
      add(jobOf('figures', 'a', { network })),
    )
    for (let done = 0; done < all.length; done++) {
      await setImmediate()
      running[0]?.end()
      await setImmediate()
    }
    await Promise.all(all)
    assert.deepEqual(order.slice(2), ['a', 'x', 'a', 'y', 'a', 'x', 'y'])
  })

  test('pages that visitors wait for start while creators use all other slots', async () => {
    const { add, running, nbOf } = createOpenJobs()
    const kinds: JobKind[] = ['figures', 'figures', 'replay', 'import', 'document', 'document']
    const all = kinds.map((kind, rank) => add(jobOf(kind, `${Math.floor(rank / 2)}`)))
    all.push(add(jobOf('page', '0')))
    await setImmediate()
    assert.equal(nbOf('0'), 3)
    while (running.length > 0) {
      running[0]?.end()
      await setImmediate()
    }
    await Promise.all(all)
  })

  test('a full queue names the seconds after which the creator may come again', async () => {
    const { add, running } = createOpenJobs()
    const most = GROUPS.work.max_concurrent_per_owner + GROUPS.work.max_queued_per_owner
    const all = Array.from({ length: most }, () => add(jobOf('document', 'a')))
    const refusal = await add(jobOf('document', 'a')).catch((error: unknown) => error)
    assert.ok(refusal instanceof ApiError)
    const { status, code, headers } = refusal
    assert.deepEqual([status, code], [503, 'reports_busy'])
    assert.ok(Number(headers['retry-after']) > 10, JSON.stringify(headers))
    while (running.length > 0) {
      running[0]?.end()
      await setImmediate()
    }
    await Promise.all(all)
  })

  test('no owner and no network ever exceeds its slots, and every job ends', async () => {
    const kinds: JobKind[] = ['figures', 'document', 'import', 'page', 'removal', 'mail']
    const jobs = fc.array(
      fc.record({
        kind: fc.constantFrom(...kinds),
        owner: fc.constantFrom('a', 'b', 'c'),
        network: fc.constantFrom(undefined, undefined, 'x', 'y'),
        has_part: fc.boolean(),
      }),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(jobs, async (jobs) => {
        const { heavy, running, add } = createOpenJobs()
        const all = jobs.map(({ has_part, ...job }) =>
          has_part
            ? heavy.run(jobOf('import', job.owner), () => add({ ...job, size: 1 }))
            : add({ ...job, size: 1 }),
        )
        await setImmediate()
        while (running.length > 0) {
          for (const owner of ['a', 'b', 'c']) {
            const own = running.filter(({ job }) => job.owner === owner)
            const ofWork = own.filter(({ job }) => !['page', 'removal'].includes(job.kind))
            assert.ok(ofWork.length <= 2)
          }
          running[0]?.end()
          await setImmediate()
        }
        await Promise.all(all)
      }),
      { numRuns: countCases(50) },
    )
  })
})

describe('limits', () => {
  test('a job that takes too long ends for its caller, and its slot is held until it settles', async () => {
    const limits = { ...JOB_LIMITS, removal: { ...JOB_LIMITS.removal, max_ms: 20 } }
    const heavy = createHeavyWork({ limits })
    const open = Promise.withResolvers<void>()
    const slow = heavy.run(jobOf('removal', 'a'), () => open.promise)
    await assert.rejects(slow, { name: 'JobLimitError', status: 422, limit: 'time', headers: {} })
    let has_begun = false
    const next = heavy.run(jobOf('removal', 'a'), async () => {
      has_begun = true
    })
    await setTimeout(5)
    assert.equal(has_begun, false)
    open.resolve()
    await next
    await heavy.close()
  })

  test('a job that is too large is refused before it starts', async () => {
    const size = JOB_LIMITS.zip.max_size + 1
    await assert.rejects(
      work.run(jobOf('zip', 'a', { size }), () => assert.fail('began')),
      { name: 'JobLimitError', limit: 'size' },
    )
  })

  test('a job that exceeds a limit is counted by kind and limit', async () => {
    const size = JOB_LIMITS.import.max_size + 1
    await assert.rejects(work.run(jobOf('import', 'a', { size }), async () => undefined))
    const exceeded = work.metrics.find(({ name }) => name.endsWith('limit_exceeded_total'))
    const samples = await exceeded?.read()
    const labels = { kind: 'import', limit: 'size' }
    assert.ok(samples?.some((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels)))
  })
})

test('the end of the process ends running and waiting jobs and refuses new ones', async () => {
  const heavy = createHeavyWork()
  const untilAbort = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    )
  const all = Array.from({ length: 4 }, () => heavy.run(jobOf('removal', 'a'), untilAbort))
  const refusals = all.map((job) => assert.rejects(job, { status: 503 }))
  await setImmediate()
  await heavy.close()
  await Promise.all(refusals)
  await assert.rejects(
    heavy.run(jobOf('mail', 'a'), async () => undefined),
    { status: 503 },
  )
})
