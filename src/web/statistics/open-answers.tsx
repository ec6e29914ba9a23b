import type { ComponentProps } from 'react'
import type { Figures } from '#contract/figures.ts'
import type { QuestionStats } from '#domain/statistics.ts'
import { distinctKeys } from './distinct-keys.ts'
import { formatNumber, formatPercentage, formatPercentageOf } from './format.ts'
import { OpenTexts } from './open-texts.tsx'

type OpenAnswersProps = ComponentProps<typeof OpenTexts> & {
  answers: QuestionStats['answers']
  figure: Figures['questions'][string]
}

/** The most frequent texts of an open question as a list, how many filled it in, and the search in all of it. */
export const OpenAnswers = ({ answers, figure, ...texts }: OpenAnswersProps) => {
  const keys = distinctKeys(answers.map(({ answer_text }) => answer_text))
  return (
    <>
      <p className="mt-1 text-ink-2 tabular-nums">{filledText(figure)}</p>
      <ul className="mt-2 flex flex-col divide-y divide-line border-t border-line print:hidden">
        {answers.map(({ answer_text, count, percentage }, index) => (
          <li
            key={keys[index]}
            className="flex flex-wrap items-baseline justify-between gap-x-4 py-2"
          >
            <span className="line-clamp-4 min-w-0 whitespace-pre-line wrap-anywhere" dir="auto">
              {answer_text}
            </span>
            <span className="ml-auto text-ink-2 tabular-nums">
              {count} réponse(s) · {formatPercentage(percentage)}
            </span>
          </li>
        ))}
      </ul>
      <OpenTexts {...texts} />
    </>
  )
}

/** What the texts of a question are, when there is one and when there are several. */
const WORDS: Partial<
  Record<OpenAnswersProps['figure']['type'], { one: string; many: string; distinct: string }>
> = {
  email: { one: 'adresse', many: 'adresses', distinct: 'différentes' },
  phone: { one: 'numéro', many: 'numéros', distinct: 'différents' },
  number: { one: 'nombre', many: 'nombres', distinct: 'différents' },
}
const TEXTS = { one: 'réponse', many: 'réponses', distinct: 'différentes' }

/** How many there are, how many differ, and which share of those who saw the question filled it in. */
const filledText = ({
  type,
  nb_answered,
  nb_seen,
  nb_distinct,
}: OpenAnswersProps['figure']): string => {
  const words = WORDS[type] ?? TEXTS
  return [
    `${formatNumber(nb_answered)} ${nb_answered > 1 ? words.many : words.one}`,
    ...(nb_distinct !== null && nb_answered > 1
      ? [
          `${formatNumber(nb_distinct)} ${nb_distinct > 1 ? words.distinct : words.distinct.slice(0, -1)}`,
        ]
      : []),
    `remplie par ${formatPercentageOf(nb_answered, nb_seen)} de ceux qui l’ont vue`,
  ].join(' · ')
}
