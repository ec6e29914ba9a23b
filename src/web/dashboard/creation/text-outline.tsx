import { memo, useEffect, useState } from 'react'
import { groupIntoPages, type Item } from '#domain/questionnaire/pages.ts'
import { QUESTION_TYPE_NAMES } from '#domain/questionnaire/question-type-names.ts'
import {
  type Answer,
  type Draft,
  isChoice,
  isSondage,
  JUMP_TO_END,
  JUMP_TO_NOWHERE,
  type Question,
  type Result,
} from '#domain/questionnaire/quiz.ts'
import { type ParsedText, parseSteps } from '#domain/text-format/parse-text.ts'

/** Pause after typing before a text is parsed. */
const PARSE_DELAY_MS = 250
/** Longest time that parsing may block the page. */
const PARSE_SLICE_MS = 12

type ParsedOutline = { text: string; parsed: ParsedText }

/**
 * Parses a text after a pause in typing, in time slices; undefined before the first result. `isCurrent` is true when
 * the result belongs to the current text, and `parsedText` is the text that it belongs to.
 */
export const useParsedText = (
  text: string,
): { parsed?: ParsedText; parsedText: string; isCurrent: boolean } => {
  const [read, setRead] = useState<ParsedOutline>()
  useEffect(() => {
    const steps = parseSteps(text)
    const work = (): void => {
      const end = performance.now() + PARSE_SLICE_MS
      do {
        const { done, value } = steps.next()
        if (done) {
          setRead({ text, parsed: value })
          return
        }
      } while (performance.now() < end)
      timer = setTimeout(work)
    }
    let timer = setTimeout(work, PARSE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text])
  return read
    ? { parsed: read.parsed, parsedText: read.text, isCurrent: read.text === text }
    : { parsedText: '', isCurrent: false }
}

/** Largest number of rendered items; the rest is only counted. */
const MAX_ITEMS = 60
const MAX_ANSWERS = 12

const several = (count: number, singular: string): string =>
  `${count} ${singular}${Math.abs(count) > 1 ? 's' : ''}`

/** Renders what the parser understood of a text: name, kind, results and pages. */
export const TextOutline = memo(function TextOutline({ draft }: { draft: Draft }) {
  const { quiz, quiz_mode, results, questions } = draft
  const pages = groupIntoPages(draft)
  const names = new Map(results.map(({ id, name }) => [id, name]))
  const facts = [
    isSondage(quiz) ? 'Sondage' : 'Quiz',
    ...(quiz_mode ? [quiz_mode === 'score' ? 'par score' : 'par profils'] : []),
    several(results.length, 'résultat'),
    several(pages.length, 'page'),
    several(questions.length, 'question'),
  ]
  let left = MAX_ITEMS
  const drawn = pages.flatMap(({ number, items }) => {
    const shown = items.slice(0, left)
    left -= shown.length
    return shown.length > 0 ? [{ number, items: shown }] : []
  })
  const hidden = pages.reduce((sum, { items }) => sum + items.length, 0) - MAX_ITEMS
  return (
    <div className="flex flex-col gap-3 wrap-anywhere">
      <div>
        <p className="font-semibold" dir="auto">
          {quiz.name}
        </p>
        <p className="text-sm text-ink-2">{facts.join(' · ')}</p>
      </div>
      {results.length > 0 && <Results results={results} />}
      {drawn.map(({ number, items }) => (
        <section key={number} aria-label={`Page ${number}`} className="flex flex-col gap-2">
          <p className="text-xs font-medium text-ink-3">Page {number}</p>
          {items.map((item) =>
            item.kind === 'question' ? (
              <OneQuestion key={item.question.id} question={item.question} names={names} />
            ) : (
              <Block key={item.text_block.id} item={item} />
            ),
          )}
        </section>
      ))}
      {hidden > 0 && <p className="text-sm text-ink-2">{`… et ${several(hidden, 'autre')}.`}</p>}
    </div>
  )
})

const Results = ({ results }: { results: readonly Result[] }) => (
  <section aria-label="Résultats">
    <p className="text-xs font-medium text-ink-3">Résultats</p>
    <ul className="list-disc pl-5">
      {results.map(({ id, name, min_score, max_score }) => (
        <li key={id} dir="auto">
          {name}
          {(min_score !== null || max_score !== null) && (
            <span className="text-sm text-ink-2">{` – de ${min_score ?? '?'} à ${max_score ?? '?'}`}</span>
          )}
        </li>
      ))}
    </ul>
  </section>
)

const Block = ({ item }: { item: Extract<Item, { kind: 'text_block' }> }) => (
  <p
    className="line-clamp-3 border-l-2 border-line pl-2 text-sm whitespace-pre-line text-ink-2"
    dir="auto"
  >
    {item.text_block.content}
  </p>
)

const OneQuestion = ({
  question,
  names,
}: {
  question: Question
  names: ReadonlyMap<string, string>
}) => {
  const { text, type, answers, is_required } = question
  const hidden = answers.length - MAX_ANSWERS
  return (
    <div>
      <p className="font-medium" dir="auto">
        {text || 'Question sans texte'}
      </p>
      {(!isChoice(question) || !is_required) && (
        <p className="text-xs text-ink-3">
          {[
            ...(isChoice(question) ? [] : [QUESTION_TYPE_NAMES[type]]),
            ...(is_required ? [] : ['facultative']),
          ].join(' · ')}
        </p>
      )}
      <ul className="list-disc pl-5 text-sm">
        {answers.slice(0, MAX_ANSWERS).map((answer) => (
          <li key={answer.id} dir="auto">
            {answer.text}
            <span className="text-ink-2">{consequences(answer, names)}</span>
          </li>
        ))}
        {hidden > 0 && <li>{`… et ${several(hidden, 'autre')}`}</li>}
      </ul>
    </div>
  )
}

/** Returns the French text about the effects of choosing an answer. */
const consequences = (
  { score, associations, jump_to }: Answer,
  names: ReadonlyMap<string, string>,
): string => {
  const words: string[] = []
  if (score !== null) words.push(several(score, 'point'))
  for (const { result_id, weight } of associations)
    words.push(`${names.get(result_id)}${weight === 1 ? '' : ` ×${weight}`}`)
  if (jump_to === JUMP_TO_END) words.push('va à la fin')
  else if (jump_to === JUMP_TO_NOWHERE) words.push('page à choisir de nouveau')
  else if (jump_to !== null) words.push(`va à la page ${jump_to}`)
  return words.length > 0 ? ` – ${words.join(', ')}` : ''
}
