const FIELD_MESSAGE = /^Champ « ([^»]*) » : (.*)$/s

/** Returns the sentence of a 422 about one field; `path` is written like `results.0.name`. */
export const fieldMessage = (path: string, reason: string): string =>
  `Champ « ${path} » : ${reason}`

/** Splits the sentence of a refusal into the path of its field, undefined if it names none, and its reason. */
export const readFieldMessage = (
  sentence: string,
): { path: string | undefined; reason: string } => {
  const [, path, reason = sentence] = FIELD_MESSAGE.exec(sentence) ?? []
  return { path, reason }
}
