import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharedWork } from './shared-work.ts'

test('ten callers of one key wait for one piece of work', async () => {
  const share = createSharedWork<number>()
  let nb_begun = 0
  const work = async (): Promise<number> => {
    await Promise.resolve()
    return ++nb_begun
  }
  const answers = await Promise.all(Array.from({ length: 10 }, () => share({ key: 'a' }, work)))
  assert.deepEqual(answers, Array(10).fill(1))
  assert.equal(await share({ key: 'a' }, work), 2)
  assert.equal(await share({ key: 'b' }, work), 3)
})

test('work ends when all callers have left, and continues while one of them waits', async () => {
  const share = createSharedWork<string>()
  const signals: AbortSignal[] = []
  const { promise, resolve } = Promise.withResolvers<string>()
  const work = (signal: AbortSignal): Promise<string> => {
    signals.push(signal)
    return promise
  }
  const [first, second] = [new AbortController(), new AbortController()]
  const answers = [first, second].map(({ signal }) => share({ key: 'a', signal }, work))
  const third = share({ key: 'a' }, work)
  first.abort(new Error('left'))
  await assert.rejects(answers[0] ?? third, /left/)
  assert.equal(signals[0]?.aborted, false)
  resolve('done')
  assert.deepEqual([await answers[1], await third], ['done', 'done'])

  const alone = new AbortController()
  const abandoned = share({ key: 'a', signal: alone.signal }, (signal) => {
    signals.push(signal)
    return new Promise(() => undefined)
  })
  alone.abort(new Error('left'))
  await assert.rejects(abandoned, /left/)
  assert.equal(signals.at(-1)?.aborted, true)
  assert.equal(await share({ key: 'a' }, async () => 'again'), 'again')
})

test('a failure reaches all callers, and the next call begins again', async () => {
  const share = createSharedWork<string>()
  const fail = (): Promise<string> => Promise.reject(new Error('broken'))
  const calls = [share({ key: 'a' }, fail), share({ key: 'a' }, fail)]
  for (const call of calls) await assert.rejects(call, /broken/)
  assert.equal(await share({ key: 'a' }, async () => 'whole'), 'whole')
})
