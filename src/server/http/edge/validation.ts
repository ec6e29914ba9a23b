import type { z } from 'zod'

type Fits = (value: unknown) => boolean
type Shape = z.core.$ZodTypes
type Check = z.core.$ZodCheck | z.core.$ZodType

const known = new WeakMap<z.core.$ZodType, Fits>()

/**
 * Tells of a shape whether a value has it and parsing would give the same value: an eighth of the time that parsing
 * takes, which copies each object and names each mistake. False of everything that only parsing can tell. It is
 * derived from the shape, once.
 */
export const isUnchangedByParse = (shape: z.core.$ZodType): Fits => {
  const found = known.get(shape)
  if (found) return found
  const made = compile(shape) ?? (() => false)
  known.set(shape, made)
  return made
}

/** Undefined of a shape that has anything beside what the calls of visitors need. */
const compile = (shape: z.core.$ZodType): Fits | undefined => {
  const { def } = (shape as Shape)._zod
  switch (def.type) {
    case 'string':
      return def.coerce ? undefined : allOf((value) => typeof value === 'string', shape)
    case 'number':
      return def.coerce ? undefined : allOf((value) => Number.isFinite(value), shape)
    case 'boolean':
      return def.coerce ? undefined : allOf((value) => typeof value === 'boolean', shape)
    case 'array':
      return allOf(compileArray(def), shape)
    case 'record':
      return allOf(compileRecord(def), shape)
    case 'object':
      return allOf(compileObject(def), shape)
    case 'union':
      return allOf(compileUnion(def), shape)
    case 'optional':
      return allOf(compile(def.innerType), shape)
    case 'nullable': {
      const inner = compile(def.innerType)
      return allOf(inner && ((value) => value === null || inner(value)), shape)
    }
    default:
      return undefined
  }
}

/** The test of a kind of value, then those of what its shape asks beside. */
const allOf = (isKind: Fits | undefined, shape: z.core.$ZodType): Fits | undefined => {
  const { def } = shape._zod
  const own = 'check' in def ? [shape] : []
  let fits = isKind
  for (const check of [...own, ...(def.checks ?? [])]) {
    const [before, test] = [fits, compileCheck(check)]
    // Asked only of values of the kind that the check is for.
    fits = before && test && ((value) => before(value) && test(value as never))
  }
  return fits
}

const compileCheck = (check: Check): ((value: never) => boolean) | undefined => {
  const def = check._zod.def as z.core.$ZodChecks['_zod']['def'] | z.core.$ZodCustomDef
  switch (def.check) {
    case 'max_length':
      // In units, of which a character is one or two.
      return (value: { length: number }) => value.length <= def.maximum
    case 'greater_than':
      return (value: z.core.util.Numeric) =>
        def.inclusive ? value >= def.value : value > def.value
    case 'less_than':
      return (value: z.core.util.Numeric) =>
        def.inclusive ? value <= def.value : value < def.value
    case 'number_format':
      return def.format === 'safeint' ? Number.isSafeInteger : undefined
    case 'string_format': {
      const { pattern } = def
      return def.format === 'guid' ? (value: string) => pattern?.test(value) === true : undefined
    }
    case 'overwrite':
      return (value: unknown) => def.tx(value) === value
    case 'custom':
      return 'fn' in def && !def.when ? (value: unknown) => def.fn(value) === true : undefined
    default:
      return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const compileArray = ({ element }: z.core.$ZodArrayDef): Fits | undefined => {
  const fits = compile(element)
  return fits && ((value) => Array.isArray(value) && value.every(fits))
}

const compileRecord = (def: z.core.$ZodRecordDef): Fits | undefined => {
  const [isKey, fits] = [compile(def.keyType), compile(def.valueType)]
  if (!isKey || !fits || def.mode || def.partial) return undefined
  return (value) => {
    if (!isObject(value)) return false
    // Parsing drops this one name.
    for (const key in value)
      if (key === '__proto__' || !isKey(key) || !fits(value[key])) return false
    return true
  }
}

const compileObject = ({ shape, catchall }: z.core.$ZodObjectDef): Fits | undefined => {
  const fields = new Map(Object.entries(shape).map(([name, field]) => [name, compile(field)]))
  if (catchall || [...fields.values()].includes(undefined)) return undefined
  const needed = Object.keys(shape).filter((name) => shape[name]?._zod.def.type !== 'optional')
  return (value) => {
    if (!isObject(value)) return false
    for (const name in value) if (!fields.get(name)?.(value[name])) return false
    return needed.every((name) => Object.hasOwn(value, name))
  }
}

/** What a value is that has the shape; undefined where it may be several things. */
const KINDS: Record<string, string> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  record: 'object',
  object: 'object',
}

/** Parsing takes the first option that can be made of a value: of options of different kinds that is the one that fits. */
const compileUnion = ({ options, inclusive }: z.core.$ZodUnionDef): Fits | undefined => {
  const kinds = new Set(options.map(({ _zod: { def } }) => KINDS[def.type]))
  const tests = options.map(compile)
  const areApart = kinds.size === options.length && !kinds.has(undefined) && inclusive !== false
  return areApart ? (value) => tests.some((fits) => fits?.(value)) : undefined
}
