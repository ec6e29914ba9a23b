import { ArrowDown, ArrowUp, Copy, EllipsisVertical, ListChecks, Rows3, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import type { ContentActions } from '#web/editor/questions/draft/use-content-actions.ts'
import { Menu } from '#web/ui/overlay/menu.tsx'
import { useLatest } from '#web/ui/use-latest.ts'

/** Actions on whole pages. The functions are stable, so that memoised pages are not rendered again. */
export type PageActions = {
  move: (from: number, to: number) => void
  /** Moves a page after a drag, without an announcement because the drag announces its own end. */
  drop: (from: number, to: number) => void
  copy: (page_number: number) => void
  remove: (page_number: number) => void
  /** Gives each question of the questionnaire its own page. */
  split: () => void
  /** Opens the dialog that gives several questions the same settings, at a page. */
  openSettings: (page_number: number) => void
}

/** Returns the actions on whole pages as stable functions. */
export const usePageActions = (contentActions: ContentActions): PageActions => {
  const latest = useLatest(contentActions)
  return useMemo(
    () => ({
      move: (from, to) => latest.current.movePage(from, to),
      drop: (from, to) => latest.current.dropPage(from, to),
      copy: (page_number) => latest.current.copyPage(page_number),
      remove: (page_number) => void latest.current.deletePage(page_number),
      openSettings: (page_number) => latest.current.openSettings(page_number),
      split: () => void latest.current.splitPages(),
    }),
    [latest],
  )
}

/** Shows the menu of a page. */
export const PageMenu = ({
  number,
  page_count,
  canCopy,
  canSplit,
  actions,
}: {
  number: number
  page_count: number
  canCopy: boolean
  canSplit: boolean
  actions: PageActions
}) => (
  <Menu
    label={`Actions – Page ${number}`}
    icon={<EllipsisVertical aria-hidden="true" />}
    items={[
      {
        label: 'Monter la page',
        icon: <ArrowUp aria-hidden="true" />,
        disabled: number === 1,
        onSelect: () => actions.move(number, number - 1),
      },
      {
        label: 'Descendre la page',
        icon: <ArrowDown aria-hidden="true" />,
        disabled: number === page_count,
        onSelect: () => actions.move(number, number + 1),
      },
      {
        label: 'Dupliquer la page',
        icon: <Copy aria-hidden="true" />,
        disabled: !canCopy,
        onSelect: () => actions.copy(number),
      },
      {
        label: 'Régler plusieurs questions…',
        icon: <ListChecks aria-hidden="true" />,
        onSelect: () => actions.openSettings(number),
      },
      {
        label: canSplit ? 'Une question par page' : 'Une question par page : déjà le cas',
        icon: <Rows3 aria-hidden="true" />,
        disabled: !canSplit,
        onSelect: actions.split,
      },
      {
        label: 'Supprimer la page',
        icon: <Trash2 aria-hidden="true" />,
        danger: true,
        onSelect: () => actions.remove(number),
      },
    ]}
  />
)
