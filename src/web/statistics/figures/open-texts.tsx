import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import type { Figures } from '#contract/statistics/figures.ts'
import type { QuestionStats } from '#domain/statistics/question-figures.ts'
import { errorText } from '#web/api/error-text.ts'
import type { Filters } from '#web/statistics/filters/filters.ts'
import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'
import { formatNumber, formatPercentageOf, formatReplies } from '#web/statistics/format/format.ts'
import { textsQuery } from '#web/statistics/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/form/search-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

const MAX_SEARCH_LENGTH = 200

type Props = { quizId: string; questionId: string; question: string; filters: Filters }

/** Opens the searchable list of all texts of an open question. */
const OpenTexts = (props: Props) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="ghost"
        className="mt-3 print:hidden"
        icon={<Search aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        Chercher dans les réponses
      </Button>
      <Dialog title={props.question} open={isOpen} onClose={() => setOpen(false)}>
        <Texts {...props} />
      </Dialog>
    </>
  )
}

const Texts = ({ quizId, questionId, filters }: Props) => {
  const [search, setSearch] = useState('')
  const { data, error, isFetching } = useQuery(textsQuery(quizId, questionId, search, filters))
  return (
    <div className="flex min-h-80 flex-col gap-3">
      <SearchField
        label="Mots cherchés"
        maxLength={MAX_SEARCH_LENGTH}
        searched={search}
        onSearch={setSearch}
      />
      {error && (
        <p role="alert" className="text-bad">
          {errorText(error)}
        </p>
      )}
      <ul aria-busy={isFetching || undefined} className="flex flex-col divide-y divide-line">
        {data?.texts.map(({ text, count }) => (
          <li key={text} className="flex items-baseline justify-between gap-4 py-2">
            <span className="min-w-0 whitespace-pre-line wrap-anywhere" dir="auto">
              {text}
            </span>
            <span className="shrink-0 text-ink-2 tabular-nums">{formatReplies(count)}</span>
          </li>
        ))}
      </ul>
      <p role="status" className="text-ink-3">
        {data && noteOf(data)}
      </p>
    </div>
  )
}

const noteOf = ({ texts, is_complete }: { texts: unknown[]; is_complete: boolean }): string => {
  if (texts.length === 0) return 'Aucune réponse ne contient ces mots.'
  return is_complete
    ? ''
    : `Voici les ${texts.length} réponses les plus fréquentes : précisez les mots cherchés pour en voir d’autres.`
}

type OpenAnswersProps = ComponentProps<typeof OpenTexts> & {
  answers: QuestionStats['answers']
  figure: Figures['questions'][string]
}

/** Renders the most frequent texts of an open question, the number of replies, and the search in all texts. */
export const OpenAnswers = ({ answers, figure, ...texts }: OpenAnswersProps) => {
  const keys = distinctKeys(answers.map(({ answer_text }) => answer_text))
  return (
    <>
      <p className="mt-1 text-ink-2 tabular-nums">{filledText(figure)}</p>
      <ul className="mt-2 flex flex-col divide-y divide-line border-t border-line print:hidden">
        {answers.map(({ answer_text, count }, index) => (
          <li
            key={keys[index]}
            className="flex flex-wrap items-baseline justify-between gap-x-4 py-2"
          >
            <span className="line-clamp-4 min-w-0 whitespace-pre-line wrap-anywhere" dir="auto">
              {answer_text}
            </span>
            <span className="ml-auto text-ink-2 tabular-nums">
              {formatReplies(count)} · {formatPercentageOf(count, figure.nb_answered)}
            </span>
          </li>
        ))}
      </ul>
      <OpenTexts {...texts} />
    </>
  )
}

/** French nouns for the texts of a question, singular and plural. */
const WORDS: Partial<
  Record<OpenAnswersProps['figure']['type'], { one: string; many: string; distinct: string }>
> = {
  email: { one: 'adresse', many: 'adresses', distinct: 'différentes' },
  phone: { one: 'numéro', many: 'numéros', distinct: 'différents' },
  number: { one: 'nombre', many: 'nombres', distinct: 'différents' },
}
const TEXTS = { one: 'réponse', many: 'réponses', distinct: 'différentes' }

/**
 * Returns the number of texts, the number of different texts, and the share of participants who filled the question in.
 */
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

type OtherTextsProps = ComponentProps<typeof OpenTexts> &
  Pick<Figures['questions'][string], 'others'>

/** Renders the most frequent texts typed next to « Autre… », and the search in all of them. */
export const OtherTexts = ({ others, ...texts }: OtherTextsProps) => (
  <div className="mt-4 border-t border-line pt-4 print:hidden">
    <h4 className="text-xs text-ink-3">Réponses « Autre » les plus fréquentes</h4>
    <ul className="mt-1 flex flex-col divide-y divide-line">
      {others.map(({ text, count }) => (
        <li key={text} className="flex items-baseline justify-between gap-4 py-2">
          <span className="min-w-0 whitespace-pre-line wrap-anywhere" dir="auto">
            {text}
          </span>
          <span className="shrink-0 text-ink-2 tabular-nums">{formatReplies(count)}</span>
        </li>
      ))}
    </ul>
    <OpenTexts {...texts} />
  </div>
)
