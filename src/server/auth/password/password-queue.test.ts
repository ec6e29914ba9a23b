import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthError } from '#server/auth/auth-error.ts'
import { createPasswordQueue } from './password-limits.ts'

/** Creates tasks that the test ends through `running`. */
const heldTasks = () => {
  const running: PromiseWithResolvers<string>[] = []
  const task = () => {
    const held = Promise.withResolvers<string>()
    running.push(held)
    return held.promise
  }
  return { running, task }
}

/** Creates a queue for the sign-ins of one network. */
const createQueue = (options: Parameters<typeof createPasswordQueue>[0]) => {
  const queue = createPasswordQueue(options)
  return <T>(task: () => Promise<T>) => queue({ key: 'network' }, task)
}

const isBusy = (error: unknown): boolean =>
  error instanceof AuthError && error.status === 503 && error.retry_after === 5

test('two tasks run at once, fifty wait, and each further task is refused with 503', async () => {
  const queue = createPasswordQueue()
  const { running, task } = heldTasks()
  const all = Array.from({ length: 52 }, (_, rank) => queue({ key: `network ${rank % 2}` }, task))
  await assert.rejects(queue({ key: 'network 0' }, task), isBusy)
  await assert.rejects(queue({ key: 'network 1' }, task), isBusy)
  for (let done = 0; done < 52; done += 1) {
    await new Promise(setImmediate)
    assert.equal(running.length, Math.min(done + 2, 52))
    running[done]?.resolve('done')
  }
  assert.deepEqual(await Promise.all(all), Array(52).fill('done'))
})

test('a network with many sign-ins delays another network by at most one task', async () => {
  const queue = createPasswordQueue({ max_concurrent: 1 })
  const order: string[] = []
  const signIn = (key: string) => queue({ key }, async () => order.push(key))
  const busy = Array.from({ length: 26 }, () => signIn('busy'))
  const refused = assert.rejects(signIn('busy'), isBusy)
  await Promise.all([...busy, signIn('quiet'), refused])
  assert.equal(order.indexOf('quiet'), 2)
})

test('without shares, one network can fill the whole queue', async () => {
  const queue = createQueue({ max_concurrent: 1, max_queued: 4, has_shares: false })
  const { running, task } = heldTasks()
  const all = Array.from({ length: 5 }, () => queue(task))
  await assert.rejects(queue(task), isBusy)
  for (let done = 0; done < 5; done += 1) {
    running[done]?.resolve('done')
    await new Promise(setImmediate)
  }
  assert.deepEqual(await Promise.all(all), Array(5).fill('done'))
})

test('a failed task frees its place in the queue', async () => {
  const queue = createQueue({ max_concurrent: 1, max_queued: 2 })
  const failed = queue(() => Promise.reject(new Error('no')))
  const next = queue(async () => 'next')
  await assert.rejects(failed, /no/)
  assert.equal(await next, 'next')
  assert.equal(await queue(async () => 'again'), 'again')
})

test('a waiting task starts after the pause, and no caller waits for the pause after its own task', async () => {
  const rests: number[] = []
  const backoffAfter = (took: number) => rests.push(took)
  const queue = createQueue({ max_concurrent: 1, max_queued: 2, backoffAfter })
  const order: string[] = []
  const first = queue(async () => order.push('first'))
  const second = queue(async () => order.push('second'))
  await first
  assert.deepEqual(order, ['first'])
  await second
  assert.deepEqual(order, ['first', 'second'])
  assert.equal(rests.length, 2)
})
