import type { Figures, ParticipantFilters } from '#contract/figures.ts'
import { UTM_NAMES, writeQuery } from '#domain/questionnaire/parameters.ts'
import { filteredAnswers, MAX_FILTER_ANSWERS } from '#domain/statistics/filter-choices.ts'
import { filteredParameters, MAX_FILTER_PARAMETERS } from '#domain/statistics/sources.ts'

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
export const setAnswerFilter = (filters: Filters, id: string, isOn: boolean): Filters => {
  const others = answersOf(filters).filter((one) => one !== id)
  const answers = isOn ? [...others, id] : others
  return { ...filters, answer: answers.join(',') || undefined }
}

/** A value of a parameter, as the filter has it; '' is of those without. */
type Parameter = readonly [name: string, value: string]

export const parametersOf = ({ parameters }: Filters): Parameter[] => filteredParameters(parameters)

/** The same filters with this value of a parameter in place of any other of it, or without it. */
export const setParameterFilter = (
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
    const isFull = name === 'answer' && answers.length >= MAX_FILTER_ANSWERS
    if (!isOn && (count === 0 || isFull)) return undefined
    return {
      isOn,
      toggle: () =>
        onChange(
          name === 'answer'
            ? setAnswerFilter(filters, id, !isOn)
            : { ...filters, result: isOn ? undefined : id },
        ),
    }
  },
  byParameter: (parameter, count) => {
    const [name, value] = parameter
    const asked = parametersOf(filters)
    const known = asked.find(([other]) => other === name)
    const isOn = known?.[1] === value
    if (!isOn && (count === 0 || (!known && asked.length >= MAX_FILTER_PARAMETERS)))
      return undefined
    return { isOn, toggle: () => onChange(setParameterFilter(filters, parameter, !isOn)) }
  },
})

/** A filter in words, and the filters without it. */
export type Chip = { key: string; text: string; rest: Filters }

/** The filters one by one; `choices` tell results and replies, of which those that are gone have no name. */
export const listFilterChips = (filters: Filters, choices: Figures['choices']): Chip[] => {
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
    chips.push({
      key: id,
      text: answerText(id, choices),
      rest: setAnswerFilter(filters, id, false),
    })
  for (const [name, value] of parametersOf(filters))
    chips.push({
      key: `parameter ${name}`,
      text: value === '' ? `Sans ${name}` : `${name} : ${value}`,
      rest: setParameterFilter(filters, [name, value], false),
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

/** The last days that the picker offers, all days, and days of one's own. */
export type PeriodChoice = '7' | '30' | '90' | 'all' | 'dates'

export const PERIODS: { value: PeriodChoice; label: string }[] = [
  { value: 'all', label: 'Tout' },
  { value: '7', label: '7 derniers jours' },
  { value: '30', label: '30 derniers jours' },
  { value: '90', label: '90 derniers jours' },
  { value: 'dates', label: 'Dates…' },
]

const DAY_MS = 86_400_000
const DAY_LENGTH = 'YYYY-MM-DD'.length

/** The first of so many days of which `today` is the last. */
const firstOf = (choice: PeriodChoice, today: string): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) - (Number(choice) - 1) * DAY_MS)
    .toISOString()
    .slice(0, DAY_LENGTH)

/** Returns the choice that these filters stand for; `today` is a day in the zone of the account. */
export const periodOf = ({ from, to }: Filters, today: string): PeriodChoice => {
  if (!from && !to) return 'all'
  const found = (['7', '30', '90'] as const).find((choice) => from === firstOf(choice, today))
  return found && (!to || to === today) ? found : 'dates'
}

/** The same filters for another period; those of one's own days begin with the days that were shown. */
export const withPeriod = (filters: Filters, choice: PeriodChoice, today: string): Filters => {
  if (choice === 'dates') return filters
  const { from: _from, to: _to, ...others } = filters
  return choice === 'all' ? others : { ...others, from: firstOf(choice, today) }
}

const WORDS: Record<(typeof UTM_NAMES)[number], string> = {
  utm_source: 'Source',
  utm_medium: 'Support',
  utm_campaign: 'Campagne',
  utm_term: 'Mot-clé',
  utm_content: 'Contenu',
}

/** A parameter as a heading: what it tells, where that is known, and its name in addresses. */
export const parameterTitle = (name: string): string => {
  const known = UTM_NAMES.find((utm) => utm === name)
  return known ? `${WORDS[known]} (${name})` : name
}
