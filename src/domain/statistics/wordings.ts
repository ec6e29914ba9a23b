/** An answer or a result as a version has it: ids stay through versions, words may not. */
export type Wording = { id: string; text: string; version: number }

const SEPARATOR = '@'

/** The id in a filter, which may end with the version whose words it means. */
export const idOfFilter = (filter: string): string => filter.split(SEPARATOR)[0] ?? filter

/**
 * Whether a filter means what a version has: `<id>` in whatever words, `<id>@<version>` in the words of that version
 * alone, in whichever version has them too.
 */
export const createWordingFilter = (
  all: readonly Wording[],
  filter: string,
): ((one: Pick<Wording, 'id' | 'text'>) => boolean) => {
  const [id, version] = filter.split(SEPARATOR)
  if (version === undefined) return (one) => one.id === id
  const meant = all.find((one) => one.id === id && one.version === Number(version))
  return (one) => one.id === id && one.text === meant?.text
}

/**
 * The filter of each wording: the id of what has one alone, else with the oldest of these versions that has it, which
 * an update does not change.
 */
export const wordingFilters = (
  all: readonly Wording[],
): ((one: Pick<Wording, 'id' | 'text'>) => string) => {
  const oldest = new Map<string, Map<string, number>>()
  for (const { id, text, version } of all) {
    const known = oldest.get(id) ?? new Map<string, number>()
    oldest.set(id, known)
    known.set(text, Math.min(version, known.get(text) ?? version))
  }
  return ({ id, text }) => {
    const wordings = oldest.get(id)
    return wordings && wordings.size > 1 ? `${id}${SEPARATOR}${wordings.get(text)}` : id
  }
}
