import type { Question, Replies } from '#domain/quiz.ts'
import type { Demo, DemoItem } from './demo.ts'

const FIRST_NAMES = [
  ...['camille', 'alix', 'sacha', 'noa', 'charlie', 'lou', 'eden', 'maxime', 'andrea', 'claude'],
  ...['dominique', 'morgan', 'yael', 'ange', 'swann', 'jules', 'lea', 'hugo', 'ines', 'nael'],
]

/** Numbers in [0, 1) that are the same each time (mulberry32). */
export const createGenerator = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Asked = Extract<DemoItem, { question: string }>

/** What one participant answers to the stored questions of a demo. */
export const replyTo = (
  demo: Demo,
  questions: readonly Question[],
  { rank, random }: { rank: number; random: () => number },
): Replies => {
  const asked = demo.pages.flat().filter((item): item is Asked => 'question' in item)
  // A person's answers resemble each other, so that the scores spread and the bars differ.
  const temperament = random()
  const pick = <T>(list: readonly T[]): T | undefined =>
    list[Math.floor(((random() + temperament) / 2) ** demo.lean * list.length)]
  const name = FIRST_NAMES[rank % FIRST_NAMES.length]
  return Object.fromEntries(
    questions.map((question) => {
      if (question.type === 'multiple_choice')
        return [question.id, pick(question.answers)?.id ?? '']
      if (question.type === 'email') return [question.id, `${name}.${rank + 1}@exemple.fr`]
      const typed = asked.find((item) => item.question === question.text)?.typed ?? []
      return [question.id, pick(typed) ?? 'Rien à ajouter']
    }),
  )
}
