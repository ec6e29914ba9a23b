import { readFileSync } from 'node:fs'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { parseText } from '#domain/text-format/parse-text.ts'
import type { Demo, DemoItem } from './demo.ts'

const FILE = '../../src/domain/templates/roue-de-la-vie.txt'
const text = readFileSync(new URL(FILE, import.meta.url), 'utf8')
const parsed = parseText(text)
if ('errors' in parsed) throw new Error(`${FILE}: ${parsed.errors[0]?.message}`)
const { draft } = parsed

const FIRST_NAMES = ['Camille', 'Alix', 'Sacha', 'Noa', 'Charlie', 'Lou', 'Eden', 'Maxime']

/** Returns the typed replies to a question: numbers of a scale, or first names. */
const typedRepliesTo = ({ type, scale_min, scale_max }: Question): string[] =>
  type === 'scale'
    ? Array.from({ length: scale_max - scale_min + 1 }, (_, step) => `${scale_min + step}`)
    : FIRST_NAMES

/** Demo with dimensions: the template « Roue de la vie » as it is. */
export const wheel: Demo = {
  name: draft.quiz.name,
  type: 'quiz',
  lean: 1,
  text,
  page: {},
  results: [],
  pages: groupIntoPages(draft).map(({ items }) =>
    items.flatMap((item): DemoItem[] => {
      if (item.kind === 'text_block') return []
      const { text: question, type } = item.question
      return [{ question, type, typed: typedRepliesTo(item.question) }]
    }),
  ),
}
