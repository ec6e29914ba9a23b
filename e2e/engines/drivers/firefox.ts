import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FIREFOX } from '../../../scripts/test/other-browsers.ts'
import { startProgram, stopProgram } from './child-process.ts'
import { CALL_TIMEOUT_MS, type Tab, type TabOptions, WINDOWS } from './tab.ts'

/** NS_BINDING_ABORTED: the page was left before a file of it was loaded. */
const ABORTED = 'status=2152398850'

/** Starts Firefox with an empty profile and drives it through WebDriver BiDi. */
export const openFirefox = async (
  origin: string,
  { window, has_javascript }: TabOptions,
): Promise<Tab> => {
  const profile = mkdtempSync(join(tmpdir(), 'quizaine-firefox-'))
  const preferences = { 'javascript.enabled': has_javascript, 'intl.accept_languages': 'fr-FR' }
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join(''))
  const { child, match: url } = await startProgram(FIREFOX, {
    args: ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'],
    env: { HOME: profile },
    pattern: /WebDriver BiDi listening on (ws:\S+)\s/,
  })
  const { send, subscribe } = await connect(`${url}/session`)
  await send('session.new', { capabilities: {} })
  const { contexts } = await send<Tree>('browsingContext.getTree')
  const context = contexts[0]?.context
  await send('browsingContext.setViewport', { context, viewport: WINDOWS[window] })
  const errors: string[] = []
  subscribe((method, params) => {
    const { level, text } = params as { level: string; text: string }
    if (method === 'log.entryAdded' && level === 'error' && !text.includes(ABORTED))
      errors.push(text)
  })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const evaluateIn =
    (target: string | undefined) =>
    async (expression: string): Promise<string> => {
      const answer = await send<Evaluation>('script.evaluate', {
        expression,
        target: { context: target },
        awaitPromise: false,
      })
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text)
      return answer.result.value
    }
  const tab: Tab = {
    pointer: 'touch',
    open: (address) => {
      const { href: url } = new URL(address, origin)
      return send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    enterFrame: async () => {
      const { contexts: pages } = await send<Tree>('browsingContext.getTree', { root: context })
      return { ...tab, evaluate: evaluateIn(pages[0]?.children[0]?.context) }
    },
    goBack: () => send('browsingContext.traverseHistory', { context, delta: -1 }),
    reload: () => send('browsingContext.reload', { context, wait: 'complete' }),
    evaluate: evaluateIn(context),
    act: (source) => send('input.performActions', { context, actions: [source] }),
    readErrors: () => errors,
    close: async () => {
      await stopProgram(child)
      rmSync(profile, { recursive: true, force: true, maxRetries: 20 })
    },
  }
  return tab
}

type Tree = { contexts: { context: string; children: { context: string }[] }[] }
type Evaluation =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } }

type Message = {
  id?: number
  method?: string
  params?: unknown
  result?: unknown
  message?: string
}

/** Opens a WebDriver BiDi connection. */
const connect = async (url: string) => {
  const socket = new WebSocket(url)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.onopen = () => resolve()
  socket.onerror = () => reject(new Error(`No WebDriver BiDi on ${url}`))
  await promise
  const pending = new Map<number, (message: Message) => void>()
  let onEvent = (_method: string, _params: unknown): void => undefined
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data as string) as Message
    if (message.method !== undefined) onEvent(message.method, message.params)
    else pending.get(message.id ?? -1)?.(message)
  }
  socket.onclose = () => {
    for (const answer of pending.values()) answer({ message: 'Firefox closed the connection' })
  }
  let last_id = 0
  const send = async <T = void>(method: string, params: object = {}): Promise<T> => {
    const id = ++last_id
    const { promise: answered, resolve: answer } = Promise.withResolvers<Message>()
    pending.set(id, answer)
    socket.send(JSON.stringify({ id, method, params }))
    const timer = setTimeout(() => answer({ message: 'no answer' }), CALL_TIMEOUT_MS)
    const { result, message } = await answered
    clearTimeout(timer)
    pending.delete(id)
    if (result === undefined) throw new Error(`${method}: ${message}`)
    return result as T
  }
  return {
    send,
    subscribe: (listener: typeof onEvent) => {
      onEvent = listener
    },
  }
}
