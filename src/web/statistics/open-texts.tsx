import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '#web/api/error-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import type { Filters } from './filters.ts'
import { textsQuery } from './queries.ts'

const LONGEST_SEARCH = 200

type Props = { quizId: string; questionId: string; question: string; filters: Filters }

/** Opens the searchable list of all texts of an open question. */
export const OpenTexts = (props: Props) => {
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
        maxLength={LONGEST_SEARCH}
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
            <span className="shrink-0 text-ink-2 tabular-nums">{count} réponse(s)</span>
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
