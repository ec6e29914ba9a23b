import { memo, type ReactNode } from 'react'
import { pageFieldId } from '#web/editor/publish-targets.ts'
import { focusElement } from './focus-after.ts'
import { type PageActions, PageMenu } from './page-menu.tsx'
import type { PageOverview } from './page-places.ts'
import { EDGE_NAMES, pageHeadingId } from './question-words.ts'

/** Links to welcome, pages and end; each page with the actions on the whole of it, beside it. */
export const PageOutline = ({
  pages,
  hasEnd,
  actions,
}: {
  pages: readonly PageOverview[]
  /** A quiz ends with its result, in a step of its own. */
  hasEnd: boolean
  actions: PageActions
}) => (
  <nav aria-label="Pages du questionnaire" className="hidden xl:block">
    <ol className="sticky top-20 flex max-h-[calc(100dvh-10rem)] flex-col gap-0.5 overflow-y-auto p-1">
      <OutlineEdge kind="welcome" />
      {pages.map((page) => (
        <OutlinePage key={page.number} {...page} page_count={pages.length} actions={actions} />
      ))}
      {hasEnd && <OutlineEdge kind="end" />}
    </ol>
  </nav>
)

const OutlineEdge = ({ kind }: { kind: keyof typeof EDGE_NAMES }) => (
  <li className="flex items-center">
    <OutlineLink id={pageFieldId(kind)}>{EDGE_NAMES[kind]}</OutlineLink>
  </li>
)

/** Gives the focus to what it names. */
const OutlineLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <a
    href={`#${id}`}
    onClick={(event) => {
      event.preventDefault()
      focusElement(id)
    }}
    className="flex min-h-9 flex-1 items-center justify-between gap-2 rounded-md px-2 text-ink-2 hover:bg-press hover:text-ink pointer-coarse:min-h-11"
  >
    {children}
  </a>
)

const OutlinePage = memo(function OutlinePage({
  number,
  item_count,
  canCopy,
  page_count,
  actions,
}: PageOverview & { page_count: number; actions: PageActions }) {
  return (
    <li className="flex items-center">
      <OutlineLink id={pageHeadingId(number)}>
        Page {number}
        <span className="text-xs text-ink-3 tabular-nums">
          {item_count}
          <span className="sr-only">{item_count > 1 ? ' éléments' : ' élément'}</span>
        </span>
      </OutlineLink>
      <PageMenu number={number} page_count={page_count} canCopy={canCopy} actions={actions} />
    </li>
  )
})
