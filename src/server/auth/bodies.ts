import { z } from 'zod'
import { AuthError } from './auth-error.ts'

const DEEPEST = 16

const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** True for JSON that PostgreSQL keeps whole and that is not nested beyond reason. */
const isStorable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === DEEPEST) return false
  return Object.entries(value).every(
    ([key, part]) => isStorableText(key) && isStorable(part, depth + 1),
  )
}

const text = z.string().refine(isStorableText).nullish()
const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => isStorable(value))
  .nullish()

export const signUpBody = z.object({ email: text, phone: text, password: text, data: metadata })
export const passwordBody = z.object({ email: text, phone: text, password: text })
export const refreshBody = z.object({ refresh_token: text })
export const userBody = z.object({
  email: text,
  phone: text,
  password: text,
  data: metadata,
  app_metadata: z.unknown().optional(),
})

/** A body in its shape: null counts as absent, unknown fields are dropped, anything else is 400. */
export const readBody = <Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> => {
  const { success, data } = shape.safeParse(body ?? {})
  if (!success) throw new AuthError(400, 'bad_json', 'Could not parse request body as JSON')
  return data
}
