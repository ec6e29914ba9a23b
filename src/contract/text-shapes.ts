import { z } from 'zod'
import { isBlankText } from '#domain/blank-text.ts'

/** Text of at most `max` characters that PostgreSQL can keep whole (decisions « Limits »). */
export const text = (max: number) => keepable(z.string().max(max))

/** Text with at least one visible character. White space around it is dropped before its length is checked. */
export const filledText = (max: number) =>
  keepable(z.string().trim().max(max)).refine((value) => !isBlankText(value), {
    error: 'Ce champ ne peut pas être vide',
  })

const keepable = (shape: z.ZodString) =>
  shape.refine((value) => !value.includes('\0') && value.isWellFormed(), {
    error: 'Le texte contient un caractère interdit',
    // The first failed check gives the only reason of a field.
    abort: true,
  })

/** Like every shape with an id, written once in the document of the API (openapi.ts). */
export const uuid = z.guid().toLowerCase().meta({ id: 'Uuid' })

export const timestamp = z.iso.datetime().meta({ id: 'Timestamp' })
