import { Printer, Share2 } from 'lucide-react'
import { useState } from 'react'
import type { Figures } from '#contract/statistics/figures.ts'
import { listFilterChips } from '#web/statistics/filters/filter-chips.ts'
import type { Filters } from '#web/statistics/filters/filters.ts'
import { Button } from '#web/ui/button.tsx'
import { useLazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { formatNamedMoment } from '#web/ui/moments.ts'

/**
 * Renders the heading of a printed report, which has no filters: when the figures were read, and of which
 * participants.
 */
export const ReportHead = ({
  read_at,
  filters,
  choices,
}: {
  /** Time of the last read in ms. */
  read_at: number
  filters: Filters
  choices: Figures['choices']
}) => {
  const chips = listFilterChips(filters, choices).map(({ text }) => text)
  return (
    <p className="hidden print:block">
      Chiffres du {formatNamedMoment(read_at)} ·{' '}
      {chips.length === 0 ? 'Tous les participants, depuis le début' : chips.join(' · ')}
    </p>
  )
}

const loadDialog = () => import('./share-dialog.tsx')

/** Renders the actions that share the figures: a link, or a report on paper. */
export const ReportActions = ({ quizId }: { quizId: string }) => {
  const [isOpen, setOpen] = useState(false)
  const { part, show } = useLazyPart(loadDialog)
  const open = async (): Promise<void> => setOpen(await show())
  return (
    <>
      <Button icon={<Share2 aria-hidden="true" />} onClick={() => void open()}>
        Partager les chiffres
      </Button>
      <Button icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
        Imprimer le rapport
      </Button>
      {part && (
        <part.ShareFiguresDialog quizId={quizId} open={isOpen} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
