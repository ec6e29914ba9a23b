import { LIMITS } from '#domain/common/vocabulary.ts'

/**
 * Infers the choices of a question from replies, in which ticked boxes are joined. Google Forms joins them with « ; » and
 * Google Sheets with « , », also if the options themselves contain commas.
 */

/** Options of a choice question, and whether a participant may tick several. */
type InferredChoices = { options: string[]; isMultiple: boolean }

/** Maximum number of distinct values of a column that becomes a choice question. */
export const MAX_CHOICES = 12
/** Minimum average number of occurrences of each option, so that free texts do not become choices. */
const MIN_REPETITIONS = 2

type Joint = {
  separator: RegExp
  /** Text between two joined options. */
  text: string
  /** True if the separator hardly occurs within an option, so that fewer replies are enough. */
  isCertain: boolean
}
const JOINTS: readonly Joint[] = [
  { separator: /;(?! )/, text: ';', isCertain: true },
  { separator: /; /, text: '; ', isCertain: false },
  { separator: /, /, text: ', ', isCertain: false },
]
/** Minimum average number of occurrences of options that are joined with a certain separator. */
const MIN_CERTAIN_REPETITIONS = 1.5
const MAX_CERTAIN_CHOICES = 20

/** Returns true if `values` are few options, each repeated often enough and short enough for an answer. */
const areOptions = (
  options: readonly string[],
  nb_values: number,
  { least = MIN_REPETITIONS, max = MAX_CHOICES } = {},
): boolean =>
  options.length > 1 &&
  options.length <= max &&
  nb_values >= least * options.length &&
  options.every((option) => option.length <= LIMITS.answer_text)

/** Returns how many more brackets a text opens than it closes. */
const openBrackets = (text: string): number => text.split('(').length - text.split(')').length

/** Splits a value, but not within brackets, and leaves out blank parts. */
const splitValue = (value: string, { separator, text }: Joint): string[] => {
  const parts: string[] = []
  let open = 0
  for (const part of value.split(separator)) {
    if (open > 0) parts.push(`${parts.pop()}${text}${part}`)
    else parts.push(part)
    open = Math.max(0, open + openBrackets(part))
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const addTo = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
/** Remembers the only neighbour of a part; null if it has several or stands at an end of its value. */
const meet = (
  neighbours: Map<string, string | null>,
  part: string,
  other: string | undefined,
): void => {
  const known = neighbours.get(part)
  if (known === undefined) neighbours.set(part, other ?? null)
  else if (known !== other) neighbours.set(part, null)
}

/**
 * Joins parts that are one option again: two parts that always come together, or a part that only follows or precedes
 * another one, if both together are repeated as a whole value.
 */
const joinOptions = (lists: readonly string[][], { text }: Joint): string[][] => {
  const [before, after] = [new Map<string, string | null>(), new Map<string, string | null>()]
  const [pairs, wholes] = [new Map<string, number>(), new Map<string, number>()]
  for (const list of lists) {
    addTo(wholes, list.join(text))
    for (const [index, part] of list.entries()) {
      meet(before, part, list[index - 1])
      meet(after, part, list[index + 1])
      if (index > 0) addTo(pairs, `${list[index - 1]}${text}${part}`)
    }
  }
  const isOne = (first: string, second: string): boolean => {
    const [follows, precedes] = [before.get(second) === first, after.get(first) === second]
    const pair = `${first}${text}${second}`
    if (follows && precedes) return (pairs.get(pair) ?? 0) > 1
    return (follows || precedes) && (wholes.get(pair) ?? 0) > 1
  }
  return lists.map((list) => {
    const options: string[] = []
    for (const [index, part] of list.entries()) {
      const previous = list[index - 1]
      if (previous !== undefined && isOne(previous, part))
        options.push(`${options.pop()}${text}${part}`)
      else options.push(part)
    }
    return options
  })
}

/**
 * Returns true if values are rather several options than one option with a separator in its text. Parts of one text keep
 * their place, such as « Femme, 18-30 »; an option stands alone, or at the beginning of one value and later in another.
 */
const areSeveral = (lists: readonly string[][]): boolean => {
  const joined = lists.filter((list) => list.length > 1)
  const alone = new Set(lists.filter((list) => list.length === 1).flat())
  const first = new Set(joined.flatMap(([part]) => part ?? []))
  const later = new Set(joined.flatMap((list) => list.slice(1)))
  const counts = new Map<string, number>()
  for (const part of joined.flat()) addTo(counts, part)
  const nb_free = [...counts.keys()].filter(
    (part) => alone.has(part) || (first.has(part) && later.has(part)),
  ).length
  if (2 * nb_free === counts.size) return [...counts.values()].every((count) => count > 1)
  return 2 * nb_free > counts.size
}

const optionsOf = (values: readonly string[], joint: Joint, nb_distinct: number) => {
  const parts = values.map((value) => splitValue(value, joint))
  const lists = joint.isCertain ? parts : joinOptions(parts, joint)
  if (!lists.some((list) => list.length > 1)) return undefined
  const options = [...new Set(lists.flat())]
  const nb_parts = lists.flat().length
  if (!joint.isCertain)
    return areOptions(options, nb_parts) && options.length <= nb_distinct && areSeveral(lists)
      ? options
      : undefined
  const limits = { least: MIN_CERTAIN_REPETITIONS, max: MAX_CERTAIN_CHOICES }
  return areOptions(options, nb_parts, limits) ? options : undefined
}

/** Returns the choices of a column by its values that are not blank; undefined if they are rather free texts. */
export const inferChoices = (values: readonly string[]): InferredChoices | undefined => {
  const distinct = [...new Set(values)]
  const isSingle = areOptions(distinct, values.length)
  for (const joint of JOINTS) {
    const options = optionsOf(values, joint, distinct.length)
    if (options) return { options, isMultiple: true }
  }
  return isSingle ? { options: distinct, isMultiple: false } : undefined
}
