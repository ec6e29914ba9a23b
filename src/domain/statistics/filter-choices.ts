import { endOfDay, startOfDay } from '#domain/common/time-zone.ts'
import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import {
  isParameterName,
  MAX_PARAMETER_LENGTH,
  readQuery,
} from '#domain/questionnaire/parameters.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { OTHER_NAME, scaleOf } from '#domain/run/replies.ts'
import { replyPlaces } from '#domain/run/stored-replies.ts'
import type { AnsweredVersion } from './asked-questions.ts'

/**
 * Reply to filter by. Its id is an answer id, `<answer id>@2` for the wording of version 2, `<question id>:other`, or
 * `<question id>:7` for a scale number.
 */
type FilterAnswer = { id: string; text: string }
/** Results and replies that a screen offers as filters. */
export type FilterChoices = {
  results: { id: string; name: string }[]
  questions: { id: string; text: string; answers: FilterAnswer[] }[]
  /** Dimensions with tiers. */
  dimensions: { id: string; name: string; tiers: FilterAnswer[] }[]
}

/** Suffix of the filter id of « Autre… ». */
const OTHER_CHOICE = 'other'
const SEPARATOR = ':'

/** Maximum number of replies in a filter. */
export const MAX_FILTER_ANSWERS = 5

/** Maximum number of tiers in a filter. */
export const MAX_FILTER_TIERS = 5

/** Returns the ids in the filter `answer` or `tier`, each once and sorted. */
export const filteredIds = (filter: string | undefined): string[] =>
  filter ? [...new Set(filter.split(','))].sort() : []

/** Maximum number of parameters in a filter. */
export const MAX_FILTER_PARAMETERS = 5

/**
 * Returns the parameters of a filter by name, each once and sorted; an empty value means participants without the
 * parameter.
 */
export const filteredParameters = (query = ''): [name: string, value: string][] =>
  [...new Map(readQuery(query))].sort(([a], [b]) => (a < b ? -1 : 1))

/** NUL and half surrogate pairs, which the database refuses. */
const UNSTORABLE = /[\0\p{Cs}]/u

/** Returns true if the text is a valid filter. Values that earlier versions stored less strictly can be chosen. */
export const isParameterFilter = (query: string): boolean => {
  const pairs = filteredParameters(query)
  return (
    pairs.length <= MAX_FILTER_PARAMETERS &&
    pairs.every(
      ([name, value]) =>
        isParameterName(name) && value.length <= MAX_PARAMETER_LENGTH && !UNSTORABLE.test(value),
    )
  )
}

/** Range of ISO timestamps, `from` included and `before` excluded; an undefined end has no limit. */
export type MomentRange = { from: string | undefined; before: string | undefined }

/** Returns the range of moments of local days, both included; an undefined day sets no limit. */
export const momentsOfDays = (
  { from, to }: { from?: string | undefined; to?: string | undefined },
  time_zone: string,
): MomentRange => ({
  from: from === undefined ? undefined : startOfDay(from, time_zone),
  before: to === undefined ? undefined : endOfDay(to, time_zone),
})

/** Returns the question of a filter on « Autre… » or on a scale number; undefined for an answer id. */
export const filteredQuestion = (answer: string): string | undefined => {
  const [question_id, choice] = answer.split(SEPARATOR)
  return choice === undefined ? undefined : question_id
}

/** Returns the replies to a question that are stored as numbers; empty for a question with typed replies only. */
export const numberedAnswers = (
  question: SnapshotQuestion,
): (FilterAnswer & { number: number })[] => {
  const { id, answers, has_other } = question
  if (question.type === 'scale') {
    const { from, to } = scaleOf(question)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index).map((number) => ({
      id: `${id}${SEPARATOR}${number}`,
      text: `${number}`,
      number,
    }))
  }
  if (!isChoice(question)) return []
  const other = { id: `${id}${SEPARATOR}${OTHER_CHOICE}`, text: OTHER_NAME, number: answers.length }
  return [
    ...answers.map(({ id, text }, number) => ({ id, text, number })),
    ...(has_other ? [other] : []),
  ]
}

const EVERY_WORDING = '(tous les libellés)'

/**
 * Returns the results and replies of the answered versions with their newest wording, followed by each wording of
 * reworded ones.
 */
export const filterChoices = (versions: readonly AnsweredVersion[]): FilterChoices => {
  const newest = [...versions].sort((a, b) => b.version - a.version)
  const questions = new Map<string, { id: string; text: string; answers: VersionedText[] }>()
  const dimensions = new Map<string, { id: string; name: string; tiers: VersionedText[] }>()
  for (const { version, snapshot } of newest) {
    for (const question of snapshot.questions) {
      const answers = numberedAnswers(question)
      if (answers.length === 0) continue
      const { id } = question
      const text = questionText(snapshot.questions, question)
      const known = questions.get(id) ?? { id, text, answers: [] }
      questions.set(id, known)
      known.answers.push(...answers.map(({ id, text }) => ({ id, text, version })))
    }
    for (const { id, name, tiers } of snapshot.dimensions ?? []) {
      if (tiers.length === 0) continue
      const known = dimensions.get(id) ?? { id, name, tiers: [] }
      dimensions.set(id, known)
      known.tiers.push(...tiers.map(({ id, title: text }) => ({ id, text, version })))
    }
  }
  return {
    results: choicesOf(resultWordings(newest)).map(({ id, text: name }) => ({ id, name })),
    questions: [...questions.values()].map(({ answers, ...question }) => ({
      ...question,
      answers: choicesOf(answers),
    })),
    dimensions: [...dimensions.values()].map(({ tiers, ...dimension }) => ({
      ...dimension,
      tiers: choicesOf(tiers),
    })),
  }
}

/** Returns the choices for wordings that are sorted from the newest version. */
const choicesOf = (all: readonly VersionedText[]): FilterAnswer[] => {
  const filterOf = wordingFilters(all)
  const choices = new Map<string, string>()
  const wordings = new Map<string, string>()
  for (const wording of all) {
    const { id, text } = wording
    const filter = filterOf(wording)
    if (filter !== id && !wordings.has(filter)) wordings.set(filter, text)
    if (!choices.has(id)) choices.set(id, filter === id ? text : `${text} ${EVERY_WORDING}`)
  }
  return [...choices, ...wordings].map(([id, text]) => ({ id, text }))
}

/** Returns the wordings of the results of versions. */
export const resultWordings = (
  versions: readonly {
    version: number
    snapshot: { results: readonly { id: string; name: string }[] }
  }[],
): VersionedText[] =>
  versions.flatMap(({ version, snapshot }) =>
    snapshot.results.map(({ id, name: text }) => ({ id, text, version })),
  )

/** Returns the titles of the tiers of dimensions. */
export const tierWordings = (
  versions: readonly Pick<AnsweredVersion, 'version' | 'snapshot'>[],
): VersionedText[] =>
  versions.flatMap(({ version, snapshot }) =>
    (snapshot.dimensions ?? []).flatMap(({ tiers }) =>
      tiers.map(({ id, title: text }) => ({ id, text, version })),
    ),
  )

/** Returns the wordings of the replies that are stored as numbers. */
const answerWordings = (versions: readonly AnsweredVersion[]): VersionedText[] =>
  versions.flatMap(({ version, snapshot }) =>
    snapshot.questions.flatMap((question) =>
      numberedAnswers(question).map(({ id, text }) => ({ id, text, version })),
    ),
  )

/** Location of a reply in a version: a number in one of the slots of its question. */
export type AnswerPlace = {
  version: number
  question_id: string
  question_position: number
  /** Stored number: the rank of an answer, or a scale number. */
  answer_position: number
  /** First and last slot of the question, from 1. */
  first_slot: number
  last_slot: number
}

/** Returns the places of the replies that these filters mean, with the filters of each place. */
export const answerPlaces = (
  versions: readonly AnsweredVersion[],
  answers: readonly string[],
): (AnswerPlace & { answers: string[] })[] => {
  const wordings = answerWordings(versions)
  const answer_filters = answers.map((answer) => ({
    answer,
    isMeant: createWordingFilter(wordings, answer),
  }))
  return versions.flatMap(({ version, snapshot }) =>
    replyPlaces(snapshot).flatMap(({ question, slot, nb_slots }) =>
      numberedAnswers(question).flatMap(({ number, ...answer_text }) => {
        const meant = answer_filters
          .filter(({ isMeant }) => isMeant(answer_text))
          .map(({ answer }) => answer)
        if (meant.length === 0) return []
        return {
          answers: meant,
          version,
          question_id: question.id,
          question_position: question.position,
          answer_position: number,
          first_slot: slot + 1,
          last_slot: slot + nb_slots,
        }
      }),
    ),
  )
}

/** Text of an answer or result in one version. The id stays in later versions; the text may change. */
export type VersionedText = { id: string; text: string; version: number }

const VERSION_SEPARATOR = '@'

/** Returns the id of a filter without the version of its wording. */
export const idOfFilter = (filter: string): string => filter.split(VERSION_SEPARATOR)[0] ?? filter

/**
 * Returns a predicate for a filter. `<id>` matches every wording; `<id>@<version>` matches the wording of that
 * version, in all versions that have it.
 */
export const createWordingFilter = (
  all: readonly VersionedText[],
  filter: string,
): ((wording: Pick<VersionedText, 'id' | 'text'>) => boolean) => {
  const [id, version] = filter.split(VERSION_SEPARATOR)
  if (version === undefined) return (wording) => wording.id === id
  const meant = all.find((wording) => wording.id === id && wording.version === Number(version))
  return (wording) => wording.id === id && wording.text === meant?.text
}

/**
 * Returns a function that gives the filter of a wording. With several wordings, the filter names the oldest version
 * with the wording, because later versions do not change it.
 */
export const wordingFilters = (
  all: readonly VersionedText[],
): ((wording: Pick<VersionedText, 'id' | 'text'>) => string) => {
  const oldest = new Map<string, Map<string, number>>()
  for (const { id, text, version } of all) {
    const known = oldest.get(id) ?? new Map<string, number>()
    oldest.set(id, known)
    known.set(text, Math.min(version, known.get(text) ?? version))
  }
  return ({ id, text }) => {
    const wordings = oldest.get(id)
    return wordings && wordings.size > 1 ? `${id}${VERSION_SEPARATOR}${wordings.get(text)}` : id
  }
}
