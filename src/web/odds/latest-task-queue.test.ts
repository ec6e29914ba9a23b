import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLatestTaskQueue } from './latest-task-queue.ts'

/** Creates a queue whose computations end when the test calls `finish` or `fail`. */
const createTestQueue = () => {
  const startedTasks: string[] = []
  const notifications: string[] = []
  let current = Promise.withResolvers<string>()
  const queue = createLatestTaskQueue<string, string>(
    (task) => {
      startedTasks.push(task)
      current = Promise.withResolvers()
      return current.promise
    },
    {
      onReport: (task, report) => notifications.push(`${task}: ${report}`),
      onFailure: (error) => notifications.push(String(error)),
    },
  )
  const settle = async (
    settleTask: (current: PromiseWithResolvers<string>) => void,
  ): Promise<void> => {
    settleTask(current)
    // Waits for the promise callbacks that follow a computation.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    queue,
    startedTasks,
    notifications,
    finish: (report: string) => settle(({ resolve }) => resolve(report)),
    fail: (message: string) => settle(({ reject }) => reject(new Error(message))),
  }
}

test('the queue computes each task and reports its result', async () => {
  const { queue, notifications, finish } = createTestQueue()
  queue.add('a')
  await finish('1')
  queue.add('b')
  await finish('2')
  assert.deepEqual(notifications, ['a: 1', 'b: 2'])
})

test('one computation runs at a time, and only the newest waiting task follows', async () => {
  const { queue, startedTasks, notifications, finish } = createTestQueue()
  for (const task of ['a', 'b', 'c', 'd']) queue.add(task)
  assert.deepEqual(startedTasks, ['a'])
  await finish('outdated')
  assert.deepEqual(startedTasks, ['a', 'd'])
  await finish('4')
  assert.deepEqual(notifications, ['d: 4'])
})

test('a failed task is reported unless a newer task waits, and the queue continues', async () => {
  const { queue, notifications, finish, fail } = createTestQueue()
  queue.add('a')
  await fail('no worker')
  queue.add('b')
  queue.add('c')
  await fail('outdated')
  await finish('3')
  assert.deepEqual(notifications, ['Error: no worker', 'c: 3'])
})

test('a closed queue neither reports nor starts a task', async () => {
  const { queue, startedTasks, notifications, finish } = createTestQueue()
  queue.add('a')
  queue.add('b')
  queue.close()
  await finish('1')
  queue.add('c')
  assert.deepEqual([startedTasks, notifications], [['a'], []])
})
