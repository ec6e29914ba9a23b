export type Fixtures = Record<string, unknown>
type SetUp = (fixtures: Fixtures, use: (value: unknown) => Promise<void>) => Promise<void>
/** A fixture: a value, or a function that sets it up and tears it down. `before` is the replaced fixture of the same name. */
type Definition = { value: unknown; before?: Definition | undefined }
export type Definitions = ReadonlyMap<string, Definition>
export type TestBody = (fixtures: Fixtures, info: object) => unknown

/** Returns the names that a function destructures from its first parameter; values in inner braces do not count. */
const namesIn = (fn: unknown): string[] => {
  const [start] = /^(?:async\s*)?\(\s*\{/.exec(String(fn)) ?? []
  if (start === undefined) return []
  let depth = 1
  let outer = ''
  for (const sign of String(fn).slice(start.length)) {
    if (sign === '}') depth -= 1
    if (depth === 0) break
    if (depth === 1) outer += sign === '}' ? '' : sign
    if (sign === '{') depth += 1
  }
  return outer
    .split(',')
    .map((part) => part.split(/[:={]/)[0]?.trim() ?? '')
    .filter(Boolean)
}

/** Runs functions one after another with the fixtures that they name. Each is set up once and torn down afterwards, last first. */
export const runWithFixtures = async (
  definitions: Definitions,
  bodies: readonly TestBody[],
  info: object,
): Promise<void> => {
  const ready = new Map<Definition, unknown>()
  const closings: (() => Promise<void>)[] = []
  const resolve = async (definition: Definition, name: string): Promise<unknown> => {
    if (ready.has(definition)) return ready.get(definition)
    const { value } = definition
    if (typeof value !== 'function') {
      ready.set(definition, value)
      return value
    }
    const wanted = await collect(namesIn(value), name, definition.before)
    const opened = Promise.withResolvers<unknown>()
    const closing = Promise.withResolvers<void>()
    const ended = (value as SetUp)(wanted, (given) => {
      opened.resolve(given)
      return closing.promise
    })
    ended.catch(opened.reject)
    const given = await opened.promise
    ready.set(definition, given)
    closings.push(() => {
      closing.resolve()
      return ended
    })
    return given
  }
  const collect = async (
    names: string[],
    own?: string,
    ownBefore?: Definition,
  ): Promise<Fixtures> => {
    const wanted: Fixtures = {}
    for (const name of names) {
      const definition = name === own ? ownBefore : definitions.get(name)
      if (!definition) throw new Error(`The DOM has no fixture ${name}`)
      wanted[name] = await resolve(definition, name)
    }
    return wanted
  }
  const errors: unknown[] = []
  const collectErrors = (error: unknown): unknown => errors.push(error)
  const runAll = async (): Promise<void> => {
    for (const body of bodies) await body(await collect(namesIn(body)), info)
  }
  await runAll().catch(collectErrors)
  for (const close of closings.toReversed()) await close().catch(collectErrors)
  if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('\n'))
  if (errors.length === 1) throw errors[0]
}

/** Adds fixtures to others. A fixture that takes its own name gets the fixture that it replaces. */
export const defineFixtures = (definitions: Definitions, added: Fixtures): Definitions => {
  const next = new Map(definitions)
  for (const [name, given] of Object.entries(added)) {
    // A default with the options of the fixture, as Playwright takes it.
    const value = Array.isArray(given) ? given[0] : given
    next.set(name, { value, before: definitions.get(name) })
  }
  return next
}
