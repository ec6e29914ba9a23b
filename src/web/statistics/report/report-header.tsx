import { Printer, Share2 } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Figures } from '#contract/figures.ts'
import { type Filters, listFilterChips } from '#web/statistics/filters/filters.ts'
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

type Section = { id: string; title: string }

const headings = (within: Element): Section[] =>
  [...within.querySelectorAll<HTMLElement>('h2[id]')]
    .filter((heading) => heading.closest('dialog') === null)
    .map(({ id, textContent }) => ({ id, title: textContent ?? '' }))

/**
 * Renders links to the sections of the screen. The titles are read from the headings, including those that appear
 * later.
 */
export const SectionLinks = () => {
  const ref = useRef<HTMLElement>(null)
  const [sections, setSections] = useState<Section[]>([])
  useLayoutEffect(() => {
    const screen = ref.current?.parentElement
    if (!screen) return
    const read = (): void => {
      const found = headings(screen)
      setSections((known) => (JSON.stringify(known) === JSON.stringify(found) ? known : found))
    }
    read()
    const observer = new MutationObserver(read)
    observer.observe(screen, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return (
    // Always one line high, so that a section that appears later moves nothing.
    <nav
      ref={ref}
      aria-label="Sections de l’écran"
      className="flex min-h-11 items-center gap-1 overflow-x-auto print:hidden"
    >
      <span className="shrink-0 text-ink-2">Aller à :</span>
      <ul className="flex gap-1">
        {sections.map(({ id, title }) => (
          <li key={id} className="shrink-0">
            <a
              href={`#${id}`}
              className="inline-flex min-h-9 items-center rounded-md px-2 font-medium whitespace-nowrap text-brand underline underline-offset-2 hover:bg-press pointer-coarse:min-h-11"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
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
