import { boundedCache } from '#server/runtime/bounded-cache.ts'
import type { Failure, Label, OpenConnection } from './provider.ts'

/** Numbers of a few bytes each. */
const MOST = 10_000

type Found = string | 'refused' | Failure
/** Gives the number of the tag or list of a name, which is made where there is none. */
export type FindOrMake = (name: string) => Promise<Found>

/** Remembers which number a tag or list has in an account, so that deliveries do not ask for it each time. */
export const createLabelIds = () => {
  const ids = boundedCache<string>(MOST)
  const keyOf = ({ id, vendor_account_id }: OpenConnection, { name, vendor_id }: Label): string =>
    `${id} ${vendor_account_id} ${vendor_id} ${name.toLowerCase()}`
  const findAgain = async (
    connection: OpenConnection,
    label: Label,
    findOrMake: FindOrMake,
  ): Promise<Found> => {
    const key = keyOf(connection, label)
    ids.delete(key)
    const found = await findOrMake(label.name)
    if (typeof found === 'string' && found !== 'refused') ids.set(key, found)
    return found
  }
  return {
    find: async (
      connection: OpenConnection,
      label: Label,
      findOrMake: FindOrMake,
    ): Promise<Found> =>
      ids.get(keyOf(connection, label)) ??
      label.vendor_id ??
      findAgain(connection, label, findOrMake),
    /** The same for one whose number is gone: its name is looked for. */
    findAgain,
  }
}

export type LabelIds = ReturnType<typeof createLabelIds>
