import { isChoice, type Question, type Replies, type Reply } from '#domain/questionnaire/quiz.ts'
import { OTHER } from '#domain/run/replies.ts'
import { lastStep } from '#domain/statistics/visits.ts'
import type { Demo, DemoItem } from './demo.ts'

/** Number of visits out of ten that end before the last page. */
const NB_LEAVING_OF_TEN = 3

/** Sends the progress of visits of a published demo, by participants and by visitors who left before the end. */
export const visit = async (
  quiz_url: string,
  {
    nb_pages,
    nb_participants,
    random,
  }: { nb_pages: number; nb_participants: number; random: () => number },
): Promise<void> => {
  const last = lastStep(nb_pages)
  const stopping = Math.round((nb_participants * NB_LEAVING_OF_TEN) / (10 - NB_LEAVING_OF_TEN))
  const reached = [
    ...Array<number>(nb_participants).fill(last),
    ...Array.from({ length: stopping }, () => 1 + Math.floor(random() * (last - 1))),
  ]
  for (const step of reached) {
    const response = await fetch(`${quiz_url}/visite/1/0/${step}`, { method: 'POST' })
    if (!response.ok) throw new Error(`${response.status} for a visit of ${quiz_url}`)
  }
}

const FIRST_NAMES = [
  ...['camille', 'alix', 'sacha', 'noa', 'charlie', 'lou', 'eden', 'maxime', 'andrea', 'claude'],
  ...['dominique', 'morgan', 'yael', 'ange', 'swann', 'jules', 'lea', 'hugo', 'ines', 'nael'],
]

/** Returns a seeded generator of numbers in [0, 1) (mulberry32). */
export const createGenerator = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Question of a demo, as opposed to a text block. */
type DemoQuestion = Extract<DemoItem, { question: string }>

/** Returns the replies of one participant to the stored questions of a demo. */
export const replyTo = (
  demo: Demo,
  questions: readonly Question[],
  { rank, random }: { rank: number; random: () => number },
): Replies => {
  const demoQuestions = demo.pages.flat().filter((item): item is DemoQuestion => 'question' in item)
  // The answers of one person are correlated, so that scores vary between persons.
  const temperament = random()
  const pick = <T>(list: readonly T[]): T | undefined =>
    list[Math.floor(((random() + temperament) / 2) ** demo.lean * list.length)]
  const name = FIRST_NAMES[rank % FIRST_NAMES.length]
  const typedTo = ({ text }: Question): string => {
    const { typed = [] } = demoQuestions.find((item) => item.question === text) ?? {}
    return pick(typed) ?? 'Rien à ajouter'
  }
  const chosenIn = (question: Question): Reply => {
    const { answers, max_choices, has_other } = question
    const first = pick(answers)?.id ?? ''
    if (max_choices === 1) return first
    const others = answers.map(({ id }) => id).filter((id) => id !== first && random() < 0.4)
    return [first, ...others, ...(has_other && random() < 0.1 ? [OTHER + typedTo(question)] : [])]
  }
  return Object.fromEntries(
    questions.map((question): [string, Reply] => {
      if (isChoice(question)) return [question.id, chosenIn(question)]
      if (question.type === 'email') return [question.id, `${name}.${rank + 1}@exemple.fr`]
      return [question.id, typedTo(question)]
    }),
  )
}

const SOURCES = ['newsletter', 'instagram', 'newsletter', 'salon', undefined] as const

/** Returns the parameters and the duration of a participant. */
export const arrivalOf = (random: () => number) => {
  const source = SOURCES[Math.floor(random() * SOURCES.length)]
  return {
    elapsed_seconds: 35 + Math.floor(random() * 90),
    ...(source && { parameters: { utm_source: source } }),
  }
}
