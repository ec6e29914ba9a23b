import { invalid } from '#server/http/errors.ts'
import { uuidv7 } from '#server/uuid.ts'

/** What became of the ids that a save sent: sent id → stored id, for the temporary ones (decisions « Temporary ids »). */
export type IdMap = Record<string, string>

/**
 * Gives each thing of one save its id: its own UUID when it has one, else a new one. The same id twice
 * in one save is refused (422).
 */
export const createIds = (): { stored: (sent: string | undefined) => string; id_map: IdMap } => {
  const seen = new Set<string>()
  const id_map: IdMap = {}
  return {
    id_map,
    stored: (sent) => {
      if (sent === undefined) return uuidv7()
      if (seen.has(sent)) throw invalid(`L'identifiant ${sent} est présent deux fois`, 'id')
      seen.add(sent)
      if (!sent.startsWith('temp_')) return sent
      const id = uuidv7()
      id_map[sent] = id
      return id
    },
  }
}

/** 422 for an id that already names something else than what is being saved. */
export const takenId = () => invalid('Un identifiant désigne déjà autre chose', 'id')
