import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createQueue } from './odds-queue.ts'

/** A queue whose computations end when they are told to. */
const openQueue = () => {
  const begun: string[] = []
  const told: string[] = []
  let current = Promise.withResolvers<string>()
  const queue = createQueue<string, string>(
    (task) => {
      begun.push(task)
      current = Promise.withResolvers()
      return current.promise
    },
    {
      onReport: (task, report) => told.push(`${task}: ${report}`),
      onFailure: (error) => told.push(String(error)),
    },
  )
  const settle = async (how: (current: PromiseWithResolvers<string>) => void): Promise<void> => {
    how(current)
    // What follows a computation takes a few turns of promises.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    ...{ queue, begun, told },
    finish: (report: string) => settle(({ resolve }) => resolve(report)),
    fail: (message: string) => settle(({ reject }) => reject(new Error(message))),
  }
}

test('what is asked for is computed and told', async () => {
  const { queue, told, finish } = openQueue()
  queue.ask('a')
  await finish('1')
  queue.ask('b')
  await finish('2')
  assert.deepEqual(told, ['a: 1', 'b: 2'])
})

test('one computation runs at a time, and the newest of those that wait is the next', async () => {
  const { queue, begun, told, finish } = openQueue()
  for (const task of ['a', 'b', 'c', 'd']) queue.ask(task)
  assert.deepEqual(begun, ['a'])
  await finish('outdated')
  assert.deepEqual(begun, ['a', 'd'])
  await finish('4')
  assert.deepEqual(told, ['d: 4'])
})

test('a failure is told unless something newer is asked for, and the next task is computed', async () => {
  const { queue, told, finish, fail } = openQueue()
  queue.ask('a')
  await fail('no worker')
  queue.ask('b')
  queue.ask('c')
  await fail('outdated')
  await finish('3')
  assert.deepEqual(told, ['Error: no worker', 'c: 3'])
})

test('nothing is told or begun after the end', async () => {
  const { queue, begun, told, finish } = openQueue()
  queue.ask('a')
  queue.ask('b')
  queue.end()
  await finish('1')
  queue.ask('c')
  assert.deepEqual([begun, told], [['a'], []])
})
