import assert from 'node:assert/strict'
import { beforeEach, describe, mock, test } from 'node:test'
import { runAutosave } from './autosave-runner.ts'

/** Creates a runner whose saves the test answers one by one. */
const open = (hasUnconfirmedSaves = false) => {
  const received: string[] = []
  const states: string[] = []
  const waiting: PromiseWithResolvers<void>[] = []
  const runner = runAutosave('a', {
    hold_ms: 0,
    isSame: (a, b) => a === b,
    hasUnconfirmedSaves: () => hasUnconfirmedSaves,
    save: async (value) => {
      received.push(value)
      const answer = Promise.withResolvers<void>()
      waiting.push(answer)
      await answer.promise
      return value
    },
    isFinal: (error) => error === 'refused',
    onChange: () => states.push(runner.state()),
  })
  const finishSave = async (act: (answer: PromiseWithResolvers<void>) => void): Promise<void> => {
    const answer = waiting.shift()
    assert.ok(answer, 'a save is under way')
    act(answer)
    await new Promise(setImmediate)
  }
  const server = {
    received,
    store: () => finishSave((answer) => answer.resolve()),
    fail: (error: unknown = new Error('away')) => finishSave((answer) => answer.reject(error)),
  }
  return {
    server,
    runner,
    states,
    edit: (value: string) => runner.edit(value, { kind: 'text', delay_ms: 500 }),
  }
}

beforeEach(() => {
  mock.reset()
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  mock.method(console, 'warn', () => undefined)
})

describe('runAutosave', () => {
  for (const [hasUnconfirmedSaves, saves] of [
    [true, ['b', 'a']],
    [false, ['b']],
  ] as const)
    test(`an edit undone after a failed save is ${hasUnconfirmedSaves ? 'saved if that save may have been stored' : 'not saved if no save is unconfirmed'}`, async () => {
      const { server, runner, edit } = open(hasUnconfirmedSaves)
      edit('b')
      mock.timers.tick(500)
      await server.fail()
      edit('a')
      mock.timers.tick(1_000)
      assert.deepEqual(server.received, saves)
      if (hasUnconfirmedSaves) await server.store()
      assert.equal(runner.state(), 'saved')
    })

  test('the latest value is saved once after the delay', async () => {
    const { server, runner, edit } = open()
    edit('b')
    mock.timers.tick(400)
    edit('c')
    mock.timers.tick(499)
    assert.deepEqual(server.received, [])
    mock.timers.tick(1)
    assert.deepEqual(server.received, ['c'])
    await server.store()
    assert.equal(runner.state(), 'saved')
    mock.timers.tick(60_000)
    assert.deepEqual(server.received, ['c'])
  })

  test('a failed save is retried until the server is back', async () => {
    const { server, runner, edit } = open()
    edit('b')
    mock.timers.tick(500)
    await server.fail()
    assert.equal(runner.state(), 'waiting')
    mock.timers.tick(200)
    await server.fail()
    mock.timers.tick(399)
    assert.equal(server.received.length, 2)
    mock.timers.tick(1)
    await server.store()
    assert.deepEqual(server.received, ['b', 'b', 'b'])
    assert.equal(runner.state(), 'saved')
  })

  test('a flush waits for the save in progress and for the next one', async () => {
    const { server, runner, edit } = open()
    edit('b')
    mock.timers.tick(500)
    edit('c')
    runner.pause(true)
    let isFlushed = false
    const flushed = runner.flush().then(() => {
      isFlushed = true
    })
    await server.store()
    assert.deepEqual([server.received, isFlushed], [['b', 'c'], false])
    await server.store()
    await flushed
    assert.equal(runner.state(), 'saved')
  })

  test('a flush that meets a newer revision continues until the remaining edits are stored, even while paused', async () => {
    const { server, runner, edit } = open()
    edit('b')
    let isFlushed = false
    const flushed = runner.flush().then(() => {
      isFlushed = true
    })
    runner.pause(true)
    runner.rebase({ stored: 'theirs', shown: 'theirs and b' })
    await server.store()
    assert.deepEqual([server.received, isFlushed], [['b', 'theirs and b'], false])
    await server.store()
    await flushed
    assert.equal(runner.stored(), 'theirs and b')
  })

  test('a flush rejects with the error of the save', async () => {
    const { server, runner, edit } = open()
    edit('b')
    const flushed = assert.rejects(runner.flush(), { message: 'away' })
    await server.fail()
    await flushed
  })

  test('a rejected save is not repeated until the value changes', async () => {
    const { server, runner, edit } = open()
    edit('b')
    mock.timers.tick(500)
    await server.fail('refused')
    mock.timers.tick(60_000)
    assert.deepEqual([server.received, runner.state()], [['b'], 'refused'])
    edit('c')
    mock.timers.tick(500)
    assert.deepEqual(server.received, ['b', 'c'])
  })

  test('listeners of the autosave are called only when its state changes', async () => {
    const { server, edit, states } = open()
    edit('b')
    edit('c')
    mock.timers.tick(500)
    await server.store()
    assert.deepEqual(states, ['saving', 'saved'])
  })
})
