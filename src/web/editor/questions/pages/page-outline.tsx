import { Unlink } from 'lucide-react'
import { memo, type ReactNode, Suspense, useMemo } from 'react'
import { Link } from 'react-router'
import { JUMP_TO_END } from '#domain/questionnaire/quiz.ts'
import {
  ADD_CONDITIONAL_TEXT_ID,
  pageFieldId,
  pageHandleId,
  pageHeadingId,
} from '#web/editor/fields/field-ids.ts'
import { WELCOME_AND_END_NAMES } from '#web/editor/fields/field-labels.ts'
import { focusElement } from '#web/editor/fields/focus.ts'
import type { PageOverview } from '#web/editor/questions/draft/item-positions.ts'
import {
  type Arrow,
  arrowsOf,
  jumpLabel,
  type PageJump,
} from '#web/editor/questions/draft/page-jumps.ts'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { Sortable, SortHandle, useSortableItem } from '#web/ui/sorting/sortable.tsx'
import { ARROW_TIP_PX, LANE_WIDTH_PX } from './outline-lanes.ts'
import { type PageActions, PageMenu } from './page-menu.tsx'

const OutlineArrows = lazyPart(
  () => import('./outline-arrows.tsx'),
  'Les flèches n’ont pas pu être chargées.',
)

const PAGES = 'pages'
const LINK =
  'flex min-h-9 flex-1 items-center justify-between gap-2 rounded-md px-2 text-ink-2 hover:bg-press hover:text-ink pointer-coarse:min-h-11'

/**
 * Shows links to the welcome screen, the pages and the end. Each page has its menu and a drag handle; arrows
 * show the jumps between pages.
 */
export const PageOutline = memo(function PageOutline({
  pages,
  jumps,
  unreached,
  hasEnd,
  actions,
}: {
  pages: readonly PageOverview[]
  jumps: readonly PageJump[]
  /** Numbers of pages that no run reaches. */
  unreached: readonly number[]
  /** True if the end screen is edited here; a quiz ends with its result, which has its own step. */
  hasEnd: boolean
  actions: PageActions
}) {
  const groups = useMemo(() => ({ [PAGES]: pages.map(({ id }) => id) }), [pages])
  const byId = new Map(pages.map((page) => [page.id, page]))
  const numberOf = (id: string): number => byId.get(id)?.number ?? 0
  const arrows = arrowsOf(jumps, pages.length)
  const leadsToEnd = jumps.some(({ to }) => to === JUMP_TO_END)
  return (
    <nav aria-label="Pages du questionnaire" className="hidden xl:block">
      <div className="sticky top-28 max-h-[calc(100dvh-12rem)] overflow-y-auto p-1">
        <div style={{ paddingLeft: gutterOf(arrows) }}>
          <OutlineEdge kind="welcome" />
        </div>
        <Sortable
          groups={groups}
          nameOf={(id) => `Page ${numberOf(id)}`}
          placeOf={({ index }, count) => `position ${index + 1} sur ${count}`}
          onMove={(id, { index }) => actions.drop(numberOf(id), index + 1)}
        >
          {(shown) => (
            <div className="relative" style={{ paddingLeft: gutterOf(arrows) }}>
              {/* All rows have one height, so that the arrows fit. */}
              <ol className="grid auto-rows-fr">
                {shown[PAGES]?.map((id, index) => {
                  const page = byId.get(id)
                  return (
                    page && (
                      <OutlinePage
                        key={id}
                        {...page}
                        index={index}
                        page_count={pages.length}
                        isUnreached={unreached.includes(page.number)}
                        jumps={jumps
                          .filter(({ from }) => from === page.number)
                          .map(jumpLabel)
                          .join('\n')}
                        actions={actions}
                      />
                    )
                  )
                })}
                {hasEnd && (
                  <li className="flex items-center">
                    <OutlineEdge kind="end" />
                  </li>
                )}
                {leadsToEnd && !hasEnd && (
                  <li className="flex min-h-9 items-center px-2 text-ink-3 pointer-coarse:min-h-11">
                    Fin
                  </li>
                )}
              </ol>
              {/* Arrows are hidden during a drag, because the pages are not in their final order. */}
              {arrows.length > 0 && shown === groups && (
                <Suspense>
                  <OutlineArrows
                    arrows={arrows}
                    rows={pages.length + (hasEnd || leadsToEnd ? 1 : 0)}
                    width={gutterOf(arrows)}
                    lanes={1 + widest(arrows)}
                  />
                </Suspense>
              )}
            </div>
          )}
        </Sortable>
        {!hasEnd && (
          <Link
            to="../results"
            relative="path"
            state={{ field_ids: [ADD_CONDITIONAL_TEXT_ID] }}
            className={LINK}
          >
            Textes conditionnels
          </Link>
        )}
      </div>
    </nav>
  )
})

const OutlineEdge = ({ kind }: { kind: keyof typeof WELCOME_AND_END_NAMES }) => (
  <OutlineLink id={pageFieldId(kind)}>{WELCOME_AND_END_NAMES[kind]}</OutlineLink>
)

/** Link that focuses the element with this id. */
const OutlineLink = ({
  id,
  title,
  children,
}: {
  id: string
  title?: string | undefined
  children: ReactNode
}) => (
  <a
    href={`#${id}`}
    title={title}
    onClick={(event) => {
      event.preventDefault()
      focusElement(id)
    }}
    className={LINK}
  >
    {children}
  </a>
)

const OutlinePage = memo(function OutlinePage({
  id: page_id,
  number,
  item_count,
  canCopy,
  canSplit,
  index,
  page_count,
  isUnreached,
  jumps,
  actions,
}: PageOverview & {
  /** Index in the list, also during a drag. */
  index: number
  page_count: number
  isUnreached: boolean
  /** Texts of the page's jumps, one per line. */
  jumps: string
  actions: PageActions
}) {
  const sortable = useSortableItem({ id: page_id, index, group: PAGES })
  return (
    <li
      ref={sortable.ref}
      className={`flex items-center rounded-md ${sortable.isDragging ? 'bg-card shadow-float' : ''}`}
    >
      <SortHandle
        id={pageHandleId(number)}
        sortable={sortable}
        label={`Déplacer la page ${number}`}
      />
      <OutlineLink
        id={pageHeadingId(number)}
        title={(isUnreached ? 'Jamais atteinte' : jumps) || undefined}
      >
        Page {number}
        <span className="flex items-center gap-1 text-xs text-ink-3 tabular-nums">
          {isUnreached && (
            <>
              <Unlink aria-hidden="true" className="size-3.5 text-warn" />
              <span className="sr-only">jamais atteinte, </span>
            </>
          )}
          {item_count}
          <span className="sr-only">{item_count > 1 ? ' éléments' : ' élément'}</span>
        </span>
      </OutlineLink>
      {jumps && <span className="sr-only">{jumps}</span>}
      <PageMenu
        number={number}
        page_count={page_count}
        canCopy={canCopy}
        canSplit={canSplit}
        actions={actions}
      />
    </li>
  )
})

/** Maximum number of lanes; arrows of further lanes overlap. */
const MAX_LANES = 4

/** Returns the width of the gutter for these arrows, in pixels. */
const gutterOf = (arrows: readonly Arrow[]): number =>
  arrows.length === 0 ? 0 : (1 + widest(arrows)) * LANE_WIDTH_PX + ARROW_TIP_PX + 2

const widest = (arrows: readonly Arrow[]): number =>
  Math.min(MAX_LANES - 1, Math.max(...arrows.map(({ lane }) => lane)))
