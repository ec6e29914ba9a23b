import { sql } from 'kysely'
import type { ConfirmationState } from '#domain/confirmations/confirmation.ts'
import type { Db } from '#server/db/database.ts'
import type { Selection } from './indexed-filters.store.ts'
import { countConfirmations } from './selection-sizes.store.ts'

/** Returns the selections of the filter `confirmation`: none, or the participants in one state. */
export const filterByConfirmation = (
  db: Db,
  quiz_id: string,
  confirmation: ConfirmationState | undefined,
): Selection[] =>
  confirmation === undefined
    ? []
    : [
        {
          condition: sql<boolean>`(email_confirmation is not null and email_confirmation = ${confirmation})`,
          upperBound: async () => (await countConfirmations(db, quiz_id))[confirmation] ?? 0,
        },
      ]
