import assert from 'node:assert/strict'
import { beforeEach, describe, mock, test } from 'node:test'
import { runAutosave } from './autosave-runner.ts'
import { createAutosaves } from './autosaves.ts'

const TIMES = { delay_ms: 500, hold_ms: 0 }

/** A server whose saves are answered by the test, one by one. */
const createServer = () => {
  const received: string[] = []
  const waiting: PromiseWithResolvers<void>[] = []
  const save = (value: string) => () => {
    received.push(value)
    const answer = Promise.withResolvers<void>()
    waiting.push(answer)
    return answer.promise
  }
  const settle = async (act: (answer: PromiseWithResolvers<void>) => void): Promise<void> => {
    const answer = waiting.shift()
    assert.ok(answer, 'a save is under way')
    act(answer)
    await new Promise(setImmediate)
  }
  return {
    received,
    shows: (value: string, is_paused = false) => ({ value, save: save(value), is_paused }),
    store: () => settle((answer) => answer.resolve()),
    fail: (error: unknown = new Error('away')) => settle((answer) => answer.reject(error)),
  }
}

const open = () => runAutosave('a', TIMES, (error) => error === 'refused')

beforeEach(() => {
  mock.reset()
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  mock.method(console, 'warn', () => undefined)
})

describe('runAutosave', () => {
  test('saves once after the delay, the latest value', async () => {
    const [server, runner] = [createServer(), open()]
    runner.update(server.shows('b'))
    mock.timers.tick(400)
    runner.update(server.shows('c'))
    mock.timers.tick(499)
    assert.deepEqual(server.received, [])
    mock.timers.tick(1)
    assert.deepEqual(server.received, ['c'])
    await server.store()
    assert.equal(runner.state(), 'saved')
    mock.timers.tick(60_000)
    assert.deepEqual(server.received, ['c'])
  })

  test('tries again by itself until the server is back', async () => {
    const [server, runner] = [createServer(), open()]
    runner.update(server.shows('b'))
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

  test('a flush waits for the save under way and for the one after it', async () => {
    const [server, runner] = [createServer(), open()]
    runner.update(server.shows('b'))
    mock.timers.tick(500)
    runner.update(server.shows('c', true))
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

  test('a flush is rejected with what prevented the save', async () => {
    const [server, runner] = [createServer(), open()]
    runner.update(server.shows('b'))
    const flushed = assert.rejects(runner.flush(), { message: 'away' })
    await server.fail()
    await flushed
  })

  test('a refusal is not repeated until the value changes', async () => {
    const [server, runner] = [createServer(), open()]
    runner.update(server.shows('b'))
    mock.timers.tick(500)
    await server.fail('refused')
    mock.timers.tick(60_000)
    assert.deepEqual([server.received, runner.state()], [['b'], 'refused'])
    runner.update(server.shows('c'))
    mock.timers.tick(500)
    assert.deepEqual(server.received, ['b', 'c'])
  })

  test('tells its listeners when the state changes, and only then', async () => {
    const [server, runner] = [createServer(), open()]
    const states: string[] = []
    runner.subscribe(() => states.push(runner.state()))
    runner.update(server.shows('b'))
    runner.update(server.shows('c'))
    mock.timers.tick(500)
    await server.store()
    assert.deepEqual(states, ['saving', 'saved'])
  })
})

describe('createAutosaves', () => {
  test('a screen that is left saves at once, and other screens can wait for it', async () => {
    const [server, autosaves] = [createServer(), createAutosaves(() => false)]
    const runner = autosaves.open('quiz/results', 'a', TIMES)
    const release = autosaves.retain('quiz/results', runner)
    runner.update(server.shows('b'))
    assert.equal(autosaves.isLeftover('quiz/'), false)
    release()
    assert.deepEqual(server.received, ['b'])
    assert.equal(autosaves.isLeftover('quiz/'), true)
    await server.store()
    assert.equal(autosaves.isLeftover('quiz/'), false)
  })

  test('a screen that comes back takes over what is still unsaved', async () => {
    const [server, autosaves] = [createServer(), createAutosaves(() => false)]
    const runner = autosaves.open('quiz/results', 'a', TIMES)
    const release = autosaves.retain('quiz/results', runner)
    runner.update(server.shows('b'))
    release()
    await server.fail()
    assert.equal(autosaves.isLeftover('quiz/'), false, 'nobody waits for a server that is away')
    const again = autosaves.open('quiz/results', 'b', TIMES)
    autosaves.retain('quiz/results', again)
    again.update(server.shows('c'))
    mock.timers.tick(500)
    await server.store()
    assert.deepEqual(server.received, ['b', 'c'])
  })

  test('what is stored is forgotten, so the next screen starts from what it loads', async () => {
    const [server, autosaves] = [createServer(), createAutosaves(() => false)]
    const runner = autosaves.open('quiz/results', 'a', TIMES)
    autosaves.retain('quiz/results', runner)()
    const again = autosaves.open('quiz/results', 'loaded', TIMES)
    again.update(server.shows('loaded'))
    mock.timers.tick(60_000)
    assert.deepEqual(server.received, [])
  })
})
