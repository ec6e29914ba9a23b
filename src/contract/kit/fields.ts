import { z } from 'zod'
import { isLinkAddress } from '#domain/common/addresses.ts'
import { PHONE_COUNTRIES, type PhoneCountry } from '#domain/common/phone-countries.ts'
import { isBlankText, withoutControls } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { LABEL_KINDS } from '#domain/deliveries/enrolment-kinds.ts'
import { cleanSenderName, senderNameError } from '#domain/mail-senders/sender-name.ts'
import { isReservedSlug, isSlug, slugReservedMessage } from '#domain/questionnaire/access.ts'

/**
 * Returns the shape of a text of at most `max` characters that PostgreSQL can store (product 15.4). Control characters
 * are removed before the length check.
 */
export const text = (max: number) => keepable(z.string().overwrite(withoutControls).max(max))

/**
 * Returns the shape of a text with at least one visible character. Control characters and surrounding white space are
 * removed before the length check.
 */
export const filledText = (max: number) =>
  keepable(z.string().overwrite(withoutControls).trim().max(max)).refine(
    (value) => !isBlankText(value),
    {
      error: 'Ce champ ne peut pas être vide',
    },
  )

const keepable = (shape: z.ZodString) =>
  shape.refine((value) => !value.includes('\0') && value.isWellFormed(), {
    error: 'Le texte contient un caractère interdit',
    // A field reports only its first failed check.
    abort: true,
  })

/** ISO code of a country whose phone numbers are read without a country code. */
export const phoneCountry = z.enum(
  Object.keys(PHONE_COUNTRIES) as [PhoneCountry, ...PhoneCountry[]],
  { error: 'Ce pays n’est pas dans la liste' },
)
/** UUID in lower case. Shapes with an id are written once in the OpenAPI document. */
export const uuid = z.guid().toLowerCase().meta({ id: 'Uuid' })

/** Time in ISO 8601. */
export const timestamp = z.iso.datetime().meta({ id: 'Timestamp' })

/** Address that a link or button may have. */
export const linkAddress = text(LIMITS.address)
  .trim()
  .refine(isLinkAddress, { error: 'L’adresse doit commencer par https://' })

/** Name of the sender of mails, on one line. A name without a visible character is stored as an empty text. */
export const senderName = text(LIMITS.sender_name)
  .overwrite(cleanSenderName)
  .refine((name) => senderNameError(name) === undefined, {
    error: ({ input }) => senderNameError(String(input)),
  })

/** Chosen address of a quiz. */
export const slug = text(LIMITS.slug)
  .refine(isSlug, {
    error: 'De 3 à 60 caractères : lettres minuscules sans accent, chiffres et tirets',
  })
  .refine((value) => !isReservedSlug(value), {
    error: ({ input }) => slugReservedMessage(String(input)),
  })

/** Course, community, sequence or form that a participant joined at a tool. */
export const enrolment = z.object({ kind: z.enum(LABEL_KINDS), name: z.string() })
