import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { excerpt } from '#domain/common/text.ts'
import { errorText } from '#web/api/error-text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { formatPercentageOf, formatShare } from '#web/statistics/format/format.ts'
import { Button } from '#web/ui/button.tsx'

type Views = Awaited<ReturnType<typeof lazyClient.textViews.get>>

/** Returns the query of the conditional texts; `counts` adds the participants who saw them. */
const textViewsQuery = (id: string, counts?: '1') =>
  queryOptions({
    queryKey: ['quizzes', id, 'text-views', counts ?? ''],
    queryFn: () => lazyClient.textViews.get({ id, ...(counts && { counts }) }),
    staleTime: 0,
  })

const EXCERPT = 120

/** Renders how many participants saw each conditional text, counted on demand. Renders nothing without such texts. */
export const TextViews = ({ quizId }: { quizId: string }) => {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLElement>(null)
  const { data: listed } = useQuery(textViewsQuery(quizId))
  const { data, error, refetch } = useQuery({ ...textViewsQuery(quizId, '1'), enabled: isOpen })
  if (!listed || listed.texts.length === 0) return null
  const shown = data ?? listed
  // The pressed button disappears.
  const focusBox = (): void => box.current?.focus()
  return (
    <section aria-labelledby="text-views" className="flex flex-col gap-4">
      <h2 id="text-views" tabIndex={-1} className="text-lg font-semibold">
        Textes conditionnels
      </h2>
      <article
        ref={box}
        tabIndex={-1}
        className="flex min-w-0 flex-col gap-4 rounded-xl border border-line p-4"
      >
        <p role="status" className={data ? 'text-ink-2' : 'sr-only'}>
          {isOpen && !error && (data ? doneText(data) : 'Décompte en cours…')}
        </p>
        {error && (
          <div className="flex flex-wrap items-center gap-3">
            <p role="alert" className="text-bad">
              {errorText(error)}
            </p>
            <Button
              variant="ghost"
              onClick={() => {
                focusBox()
                void refetch()
              }}
            >
              Réessayer
            </Button>
          </div>
        )}
        <ul className="flex flex-col gap-3">
          {shown.texts.map((text) => (
            <li key={text.id} className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="min-w-0 flex-1 basis-60 wrap-anywhere" dir="auto">
                {excerpt(text.text, EXCERPT)}
                <span className="block text-sm text-ink-2">{placeText(text)}</span>
              </span>
              <span className="tabular-nums">{countText(text)}</span>
            </li>
          ))}
        </ul>
        {!isOpen && (
          <Button
            className="self-start print:hidden"
            onClick={() => {
              setOpen(true)
              focusBox()
            }}
          >
            Compter qui les a vus
          </Button>
        )}
      </article>
    </section>
  )
}

const doneText = ({ is_newest }: Views): string =>
  is_newest
    ? 'Décompte sur vos 20 000 participants les plus récents, sans les filtres.'
    : 'Décompte sur tous vos participants, sans les filtres.'

type Text = Views['texts'][number]

const placeText = ({ place, result_name }: Text): string => {
  if (place === 'mail') return 'Dans l’email'
  if (place === 'end') return 'À la fin du sondage'
  return result_name === null ? 'Sur tous les résultats' : `Sur le résultat « ${result_name} »`
}

/** Returns the number and share of participants who saw a text, of those whose version has it; null until counted. */
const countText = ({ nb_participants, nb_shown }: Text): string | null =>
  nb_shown === null || nb_participants === null
    ? null
    : `${formatShare(nb_shown, nb_participants)} · ${formatPercentageOf(nb_shown, nb_participants)}`
