import { relative, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Inspector } from './inspector.ts'

/** Pause after the preparation, for work that continues after a response. A delivery starts later than this pause. */
const IDLE_MS = 50
/** Pause after a call, so that its log line and its metrics are still recorded as part of the call. */
const ANSWERED_MS = 20
/** Pause after breakpoints are set or removed. They delay the event loop, and a delayed server refuses calls. */
const RECOVERY_MS = 2_500

/** Function of the repository that a call entered. */
export type EnteredFunction = {
  /** Path from the root of the repository. */
  file: string
  /** Empty for a callback without a name. */
  name: string
  line: number
  script_id: string
  /** Offsets in the source of its script. */
  start: number
  end: number
}

/** Call with its preparation. */
export type PreparedCall = { prepare: () => Promise<unknown>; call: () => Promise<unknown> }

/** Recorder of the functions that a call enters. */
export type Recorder = {
  /** Prepares and runs a call, and returns the functions that were entered between its start and its end. */
  record: (sample: PreparedCall) => Promise<EnteredFunction[]>
  /** Prepares and runs a call, and returns these functions in the order in which the call first entered them. */
  order: (functions: readonly EnteredFunction[], sample: PreparedCall) => Promise<EnteredFunction[]>
}

type Coverage = {
  result: {
    scriptId: string
    url: string
    functions: {
      functionName: string
      ranges: { startOffset: number; endOffset: number; count: number }[]
    }[]
  }[]
}
type Location = { scriptId: string; lineNumber: number; columnNumber?: number }

/** Returns a unique key of a function: its file and its range. */
export const identify = ({ file, start, end }: EnteredFunction): string => `${file} ${start} ${end}`

/**
 * Starts V8's precise coverage in the server, which counts the calls of each function but not their order. The order
 * comes from a further run with a breakpoint at the beginning of each function. Its condition records the hit and is
 * false, so that the server never pauses; a function whose breakpoint is not hit comes last.
 */
export const startRecorder = async (inspector: Inspector, root: string): Promise<Recorder> => {
  const sources = new Map<string, Promise<string>>()
  const readSource = (scriptId: string): Promise<string> => {
    const known = sources.get(scriptId)
    if (known) return known
    const source = inspector
      .send<{ scriptSource: string }>('Debugger.getScriptSource', { scriptId })
      .then(({ scriptSource }) => scriptSource)
    sources.set(scriptId, source)
    return source
  }
  await inspector.send('Debugger.enable')
  await inspector.send('Profiler.enable')
  await inspector.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const take = () => inspector.send<Coverage>('Profiler.takePreciseCoverage')

  const listEntered = async ({ result }: Coverage): Promise<EnteredFunction[]> => {
    const entered: EnteredFunction[] = []
    for (const { scriptId, url, functions } of result) {
      const file = pathOf(url, root)
      if (!file?.startsWith('src/')) continue
      const source = await readSource(scriptId)
      for (const { functionName, ranges } of functions) {
        const [range] = ranges
        if (!range || range.count === 0 || isModule(range, source)) continue
        const { startOffset: start, endOffset: end } = range
        const { lineNumber } = locate(source, start)
        entered.push({
          file,
          name: functionName,
          line: lineNumber + 1,
          script_id: scriptId,
          start,
          end,
        })
      }
    }
    return entered
  }

  /** Sets the breakpoint that records a function by its index. Returns no id if the function has no place for one. */
  const setEntryPoint = async (entered: EnteredFunction, index: number): Promise<string[]> => {
    const { script_id: scriptId, start, end } = entered
    const source = await readSource(scriptId)
    const from = { scriptId, ...locate(source, start) }
    const { locations } = await inspector.send<{ locations: Location[] }>(
      'Debugger.getPossibleBreakpoints',
      { start: from, end: { scriptId, ...locate(source, end) } },
    )
    // The start itself belongs to the statement that declares the function.
    const inside = locations.filter(
      ({ lineNumber, columnNumber }) =>
        lineNumber !== from.lineNumber || columnNumber !== from.columnNumber,
    )
    const condition = `globalThis.walkedFunctions.push(${index}), false`
    for (const { lineNumber, columnNumber } of inside) {
      const location = { scriptId, lineNumber, columnNumber }
      // A function that only returns another function shares its first location with that function.
      const set = await inspector
        .send<{ breakpointId: string }>('Debugger.setBreakpoint', { location, condition })
        .catch(() => undefined)
      if (set) return [set.breakpointId]
    }
    return []
  }
  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const parameters = { expression, returnByValue: true }
    const { result } = await inspector.send<{ result: { value: Value } }>(
      'Runtime.evaluate',
      parameters,
    )
    return result.value
  }

  return {
    record: async ({ prepare, call }) => {
      await prepare()
      await pause(IDLE_MS)
      await take()
      await call()
      await pause(ANSWERED_MS)
      return listEntered(await take())
    },
    order: async (functions, { prepare, call }) => {
      await evaluate('globalThis.walkedFunctions = []')
      const breakpoints: string[] = []
      for (const [index, entered] of functions.entries())
        breakpoints.push(...(await setEntryPoint(entered, index)))
      await pause(RECOVERY_MS)
      await prepare()
      await pause(IDLE_MS)
      await evaluate('globalThis.walkedFunctions = []')
      await call()
      await pause(ANSWERED_MS)
      const hits = await evaluate<number[]>('globalThis.walkedFunctions')
      for (const breakpointId of breakpoints)
        await inspector.send('Debugger.removeBreakpoint', { breakpointId })
      await pause(RECOVERY_MS)
      const indexes = new Set([...hits, ...functions.keys()])
      return [...indexes].flatMap((index) => functions[index] ?? [])
    },
  }
}

/** Returns the path of a script relative to the repository; undefined for scripts of Node. */
const pathOf = (url: string, root: string): string | undefined =>
  url.startsWith('file:') ? relative(root, fileURLToPath(url)).split(sep).join('/') : undefined

/** Returns true for the function that V8 makes of a whole module, which runs at import alone. */
const isModule = (
  { startOffset, endOffset }: { startOffset: number; endOffset: number },
  source: string,
): boolean => startOffset === 0 && endOffset === source.length

/** Returns the position of an offset, as the protocol counts lines and columns (from 0). */
const locate = (source: string, offset: number): { lineNumber: number; columnNumber: number } => {
  const before = source.slice(0, offset)
  const lineNumber = before.split('\n').length - 1
  return { lineNumber, columnNumber: offset - (before.lastIndexOf('\n') + 1) }
}
