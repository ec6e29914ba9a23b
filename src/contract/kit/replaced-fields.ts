import { z } from 'zod'

/**
 * Returns the field `replaces` for a save outside the draft: the values that the caller saw of the fields that it changes.
 * The call is refused with 409 (CHANGED_ELSEWHERE) if one of them has another value in the meantime.
 */
export const replacedFields = <Fields extends z.core.$ZodLooseShape>(fields: Fields) => ({
  replaces: z.object(fields).partial().optional(),
})

/** Code of the refusal of a save whose `replaces` does not match the stored values. */
export const CHANGED_ELSEWHERE = 'changed_elsewhere'
