import type { Label } from '#domain/automations.ts'
import { boundedCache } from '#server/runtime/bounded-cache.ts'
import type { Failure, OpenConnection } from './provider.ts'

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
  const looking = new Map<string, Promise<Found>>()
  const look = async (key: string, name: string, findOrMake: FindOrMake): Promise<Found> => {
    ids.delete(key)
    const found = await findOrMake(name)
    if (typeof found === 'string' && found !== 'refused') ids.set(key, found)
    return found
  }
  /** Deliveries at once wait for one look, so that they do not make it several times. */
  const findAgain = (
    connection: OpenConnection,
    label: Label,
    findOrMake: FindOrMake,
  ): Promise<Found> => {
    const key = keyOf(connection, label)
    const underWay = looking.get(key)
    if (underWay) return underWay
    const begun = look(key, label.name, findOrMake).finally(() => looking.delete(key))
    looking.set(key, begun)
    return begun
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
