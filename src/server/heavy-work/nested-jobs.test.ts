import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createOpenJobs, createOpenResponse, jobOf } from '#server/testing/heavy-work/open-jobs.ts'
import { createHeavyWork } from './heavy-work.ts'
import { GROUPS } from './resources.ts'

const work = createHeavyWork()
after(work.close)

describe('jobs inside jobs', () => {
  test('a job inside another uses its slot, so that two owners with two jobs each never wait for each other', async () => {
    const nested = (owner: string) =>
      work.run(jobOf('import', owner), () =>
        work.run(jobOf('document', owner), () =>
          work.run(jobOf('figures', owner), async () => owner),
        ),
      )
    const owners = ['a', 'a', 'b', 'b', 'c', 'c']
    assert.deepEqual(await Promise.all(owners.map(nested)), owners)
  })

  test('a download whose documents wait in a full queue is never refused', async () => {
    const { heavy, add, running } = createOpenJobs()
    const most = GROUPS.work.max_concurrent_per_owner + GROUPS.work.max_queued_per_owner
    const all = Array.from({ length: most }, () => add(jobOf('document', 'a', { network: 'x' })))
    const others = all.map((job) => job.catch((error: unknown) => error))
    const zip = heavy.run(jobOf('zip', 'a'), () => add(jobOf('document', 'a')))
    await setImmediate()
    while (running.length > 0) {
      running[0]?.end()
      await setImmediate()
    }
    assert.equal(await zip, 'a')
    await Promise.all(others)
  })

  test('pictures inside imports of several creators are decoded one at a time', async () => {
    const { heavy, add, running } = createOpenJobs()
    const owners = ['a', 'b']
    const all = owners.map((owner) =>
      heavy.run(jobOf('import', owner), () => add(jobOf('picture', owner))),
    )
    for (let left = owners.length; left > 0; left--) {
      await setImmediate()
      assert.equal(running.length, 1)
      running[0]?.end()
      await setImmediate()
    }
    assert.deepEqual(await Promise.all(all), owners)
  })

  test('work that is apart takes a slot of its own, and the job around it ends without it', async () => {
    const { heavy, add, running } = createOpenJobs()
    let count: Promise<string> | undefined
    await heavy.run(jobOf('figures', 'a'), async () => {
      count = add(jobOf('count', 'a', { is_detached: true }))
    })
    await setImmediate()
    assert.equal(running.length, 1)
    running[0]?.end()
    assert.equal(await count, 'a')
  })

  test('work that outlives its job waits for a slot of its own', async () => {
    const { heavy, add, running } = createOpenJobs()
    const open = Promise.withResolvers<void>()
    let late: Promise<string> | undefined
    await heavy.run(jobOf('removal', 'a'), async () => {
      late = open.promise.then(() => add(jobOf('removal', 'a')))
    })
    const busy = add(jobOf('removal', 'a'))
    await setImmediate()
    open.resolve()
    await setImmediate()
    assert.equal(running.length, 1)
    running[0]?.end()
    await busy
    await setImmediate()
    running[0]?.end()
    assert.equal(await late, 'a')
  })
})

describe('callers that leave', () => {
  test('a waiting job is removed, and the signal of a running job aborts', async () => {
    const heavy = createHeavyWork()
    const leave = new AbortController()
    const job = jobOf('removal', 'a', { signal: leave.signal })
    const aborted: unknown[] = []
    const running = heavy.run(job, async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      aborted.push(signal.reason)
    })
    const waiting = heavy.run(job, async () => assert.fail('began'))
    leave.abort(new Error('left'))
    await assert.rejects(running, /left/)
    await assert.rejects(waiting, /left/)
    await setImmediate()
    assert.equal(aborted.length, 1)
  })

  test('slow readers of documents take neither a thread nor a slot of the other work of their creator', async () => {
    const { heavy, add, running } = createOpenJobs()
    const responses = [createOpenResponse(), createOpenResponse()]
    for (const response of responses)
      await heavy.stream(jobOf('sent_document', 'a'), response, () =>
        heavy.run(jobOf('document', 'a'), async () => 'pdf'),
      )
    const all = [add(jobOf('figures', 'a')), add(jobOf('document', 'a'))]
    await setImmediate()
    assert.equal(running.length, 2)
    for (const { end } of [...running]) end()
    await Promise.all(all)
    for (const response of responses) response.emit('close')
  })

  test('a download holds its slot until its response is closed', async () => {
    const heavy = createHeavyWork()
    const responses = [createOpenResponse(), createOpenResponse(), createOpenResponse()] as const
    const [first, second, third] = responses
    const send = (response: ServerResponse) =>
      heavy.stream(jobOf('export', 'a'), response, async (_signal, inTurn) => inTurn(async () => 1))
    assert.deepEqual(await Promise.all([send(first), send(second)]), [1, 1])
    await assert.rejects(send(third), { status: 429, code: 'too_many_requests' })
    assert.throws(() => heavy.check({ kind: 'export', owner: 'a' }), { status: 429 })
    heavy.check({ kind: 'export', owner: 'b' })
    first.emit('close')
    await setImmediate()
    assert.equal(await send(third), 1)
    for (const response of responses) response.emit('close')
    await setImmediate()
  })
})
