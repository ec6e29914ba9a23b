import type { Figures } from '#contract/figures.ts'
import type { ParticipantFilters } from '#contract/filters.ts'
import { filteredAnswers, MOST_FILTER_ANSWERS } from '#domain/filter-choices.ts'
import { writeQuery } from '#domain/parameters.ts'
import { filteredParameters, MOST_FILTER_PARAMETERS } from '#domain/sources.ts'

/** The filters of the participants; an absent one does not filter. */
export type Filters = Partial<ParticipantFilters>

const NAMES = ['email', 'result', 'answer', 'parameters', 'from', 'to'] as const

/** Reads the filters from the query of an address. */
export const readFilters = (search: URLSearchParams): Filters => {
  const filters: Filters = {}
  for (const name of NAMES) {
    const value = search.get(name)?.trim()
    if (value) filters[name] = value
  }
  return filters
}

/** The filters as the query of an address. */
export const writeFilters = (filters: Filters): Record<string, string> =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = filters[name]
      return value ? [[name, value]] : []
    }),
  )

/** The query of an address with these filters in place of its own; what else it says stays. */
export const replaceFilters = (search: URLSearchParams, filters: Filters): URLSearchParams => {
  const others = [...search].filter(([name]) => !NAMES.some((filter) => filter === name))
  return new URLSearchParams([...others, ...Object.entries(writeFilters(filters))])
}

export const countFilters = (filters: Filters): number => Object.keys(writeFilters(filters)).length

/** Why no participant can match these dates; undefined when some can. */
export const datesError = ({ from, to }: Filters): string | undefined =>
  from && to && from > to ? 'La date de fin précède la date de début.' : undefined

/** The replies that are filtered by. */
export const answersOf = ({ answer }: Filters): string[] => filteredAnswers(answer)

/** The same filters with one more reply, or without it. */
export const withAnswer = (filters: Filters, id: string, isOn: boolean): Filters => {
  const others = answersOf(filters).filter((one) => one !== id)
  const answers = isOn ? [...others, id] : others
  return { ...filters, answer: answers.join(',') || undefined }
}

/** A value of a parameter, as the filter has it; '' is of those without. */
type Parameter = readonly [name: string, value: string]

export const parametersOf = ({ parameters }: Filters): Parameter[] => filteredParameters(parameters)

/** The same filters with this value of a parameter in place of any other of it, or without it. */
export const withParameter = (
  filters: Filters,
  [name, value]: Parameter,
  isOn: boolean,
): Filters => {
  const others = parametersOf(filters).filter(([other]) => other !== name)
  const all: Parameter[] = isOn ? [...others, [name, value]] : others
  return { ...filters, parameters: writeQuery(all) || undefined }
}

/** What participants can be filtered by with a tap on it. */
export type Filtering = {
  /** Whether these filters hold what has this id, and how to add or remove it; undefined where it cannot filter. */
  by: (name: 'result' | 'answer', id: string | undefined, count: number) => Tap | undefined
  /** The same of a value of a parameter. */
  byParameter: (parameter: Parameter, count: number) => Tap | undefined
}
type Tap = { isOn: boolean; toggle: () => void }

/** Filters by what is tapped; a line without participants, and one reply more than can be, filter nothing. */
export const filteringOf = (filters: Filters, onChange: (filters: Filters) => void): Filtering => ({
  by: (name, id, count) => {
    if (id === undefined) return undefined
    const answers = answersOf(filters)
    const isOn = name === 'answer' ? answers.includes(id) : filters.result === id
    const isFull = name === 'answer' && answers.length >= MOST_FILTER_ANSWERS
    if (!isOn && (count === 0 || isFull)) return undefined
    return {
      isOn,
      toggle: () =>
        onChange(
          name === 'answer'
            ? withAnswer(filters, id, !isOn)
            : { ...filters, result: isOn ? undefined : id },
        ),
    }
  },
  byParameter: (parameter, count) => {
    const [name, value] = parameter
    const asked = parametersOf(filters)
    const known = asked.find(([other]) => other === name)
    const isOn = known?.[1] === value
    if (!isOn && (count === 0 || (!known && asked.length >= MOST_FILTER_PARAMETERS)))
      return undefined
    return { isOn, toggle: () => onChange(withParameter(filters, parameter, !isOn)) }
  },
})

/** A filter in words, and the filters without it. */
export type Chip = { key: string; text: string; rest: Filters }

/** The filters one by one; `choices` tell results and replies, of which those that are gone have no name. */
export const chipsOf = (filters: Filters, choices: Figures['choices']): Chip[] => {
  const { email, result, from, to } = filters
  const chips: Chip[] = []
  if (from || to)
    chips.push({
      key: 'dates',
      text: datesText(from, to),
      rest: { ...filters, from: undefined, to: undefined },
    })
  if (email)
    chips.push({ key: 'email', text: `Email : ${email}`, rest: { ...filters, email: undefined } })
  if (result) {
    const name = choices.results.find(({ id }) => id === result)?.name ?? GONE
    chips.push({
      key: result,
      text: `Résultat : ${name}`,
      rest: { ...filters, result: undefined },
    })
  }
  for (const id of answersOf(filters))
    chips.push({ key: id, text: answerText(id, choices), rest: withAnswer(filters, id, false) })
  for (const [name, value] of parametersOf(filters))
    chips.push({
      key: `parameter ${name}`,
      text: value === '' ? `Sans ${name}` : `${name} : ${value}`,
      rest: withParameter(filters, [name, value], false),
    })
  return chips
}

const GONE = 'supprimé'

const answerText = (id: string, { questions }: Figures['choices']): string => {
  for (const { text, answers } of questions) {
    const answer = answers.find((one) => one.id === id)
    if (answer) return `${text} ${answer.text}`
  }
  return 'Réponse : supprimée'
}

const dayFormat = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeZone: 'UTC' })
const dayText = (day: string): string => {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? day : dayFormat.format(time)
}

const datesText = (from: string | undefined, to: string | undefined): string => {
  if (from && to) return `Du ${dayText(from)} au ${dayText(to)}`
  return from ? `Depuis le ${dayText(from)}` : `Jusqu’au ${dayText(to ?? '')}`
}
