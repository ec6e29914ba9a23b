import { z } from 'zod'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import { isObject, parseShape } from './validation.ts'

/** Number of list items, at any depth, up to which a value is validated at once. */
const MAX_ITEMS_AT_ONCE = 200

type Shape = z.core.$ZodTypes
const defOf = (shape: z.core.$ZodType) => (shape as Shape)._zod.def

/** Returns the number of items of all lists in a value. Stops counting above MAX_ITEMS_AT_ONCE. */
const countItems = (value: unknown): number => {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 0
  let count = Array.isArray(value) ? value.length : 0
  for (const member of Object.values(value)) {
    if (count > MAX_ITEMS_AT_ONCE) break
    count += countItems(member)
  }
  return count
}

const isSmall = (value: unknown): boolean => countItems(value) <= MAX_ITEMS_AT_ONCE

/** Returns the shape inside `optional`, `nullable` and `default`. */
const unwrapped = (shape: z.core.$ZodType): z.core.$ZodType => {
  const def = defOf(shape)
  return def.type === 'optional' || def.type === 'nullable' || def.type === 'default'
    ? unwrapped(def.innerType)
    : shape
}

const isList = (shape: z.core.$ZodType): boolean => defOf(unwrapped(shape)).type === 'array'

const outlines = new WeakMap<z.core.$ZodType, z.ZodType>()

/**
 * Returns the shape without the shapes of list items, which are validated before. Limits of the lists and all other
 * fields stay.
 */
const outlineOf = (shape: z.core.$ZodType): z.ZodType => {
  const found = outlines.get(shape)
  if (found) return found
  const made = z.core.clone(shape, outlineDef(shape)) as z.ZodType
  outlines.set(shape, made)
  return made
}

const outlineDef = (shape: z.core.$ZodType): z.core.$ZodTypeDef => {
  const def = defOf(shape)
  switch (def.type) {
    case 'array':
      return { ...def, element: z.unknown() } as z.core.$ZodArrayDef
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [
        name,
        isList(field) ? outlineOf(field) : field,
      ])
      return { ...def, shape: Object.fromEntries(fields) } as z.core.$ZodObjectDef
    }
    case 'optional':
    case 'nullable':
    case 'default':
      return { ...def, innerType: outlineOf(def.innerType) } as z.core.$ZodOptionalDef
    default:
      return def
  }
}

/**
 * Returns a value that matches the schema, as `parseShape` does, and yields to the event loop between the items of long
 * lists. Throws `invalid()` (422) with the first reason if the value does not match; items come before other fields.
 */
export const validateInPieces = async <T>(shape: z.ZodType<T>, value: unknown): Promise<T> => {
  if (isSmall(value)) return parseShape(shape, value)
  const pause = yieldToEventLoop()
  const validate = async (
    part: z.core.$ZodType,
    input: unknown,
    path: PropertyKey[],
  ): Promise<unknown> => {
    await pause()
    const def = defOf(unwrapped(part))
    if (def.type === 'array' && Array.isArray(input)) {
      const items: unknown[] = []
      for (const [index, item] of input.entries())
        items.push(await validateItem(def.element, item, [...path, index]))
      return parseShape(outlineOf(part), items, path)
    }
    if (def.type === 'object' && isObject(input)) {
      const fields: Record<string, unknown> = { ...input }
      for (const [name, field] of Object.entries(def.shape))
        if (isList(field) && Object.hasOwn(fields, name))
          fields[name] = await validateItem(field, fields[name], [...path, name])
      return parseShape(outlineOf(part), fields, path)
    }
    return parseShape(part as z.ZodType, input, path)
  }
  const validateItem = async (
    part: z.core.$ZodType,
    input: unknown,
    path: PropertyKey[],
  ): Promise<unknown> => {
    if (!isSmall(input)) return validate(part, input, path)
    await pause()
    return parseShape(part as z.ZodType, input, path)
  }
  return (await validate(shape, value, [])) as T
}
