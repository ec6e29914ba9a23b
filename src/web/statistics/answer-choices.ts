type Choice = { id: string; text: string }

/**
 * The id by which participants are filtered for each line of an answer or a result; undefined of a line that has
 * none, as words that are no longer those of the newest version. Lines with the same words are the choices with
 * these words, in their order.
 */
export const filterIds = (
  texts: readonly string[],
  choices: readonly Choice[],
): (string | undefined)[] => {
  const ids = Map.groupBy(choices, ({ text }) => text)
  return texts.map((text) => ids.get(text)?.shift()?.id)
}
