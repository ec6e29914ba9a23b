import { memo } from 'react'
import { focusElement } from './focus-after.ts'
import { type PageActions, PageMenu } from './page-menu.tsx'
import type { PageOverview } from './page-places.ts'
import { pageHeadingId } from './question-words.ts'

/** Links to the pages, each with the actions on the whole of it, beside them. */
export const PageOutline = ({
  pages,
  actions,
}: {
  pages: readonly PageOverview[]
  actions: PageActions
}) => (
  <nav aria-label="Pages du questionnaire" className="hidden xl:block">
    <ol className="sticky top-20 flex max-h-[calc(100dvh-10rem)] flex-col gap-0.5 overflow-y-auto p-1">
      {pages.map((page) => (
        <OutlinePage key={page.number} {...page} page_count={pages.length} actions={actions} />
      ))}
    </ol>
  </nav>
)

const OutlinePage = memo(function OutlinePage({
  number,
  item_count,
  canCopy,
  page_count,
  actions,
}: PageOverview & { page_count: number; actions: PageActions }) {
  const id = pageHeadingId(number)
  return (
    <li className="flex items-center">
      <a
        href={`#${id}`}
        onClick={(event) => {
          event.preventDefault()
          focusElement(id)
        }}
        className="flex min-h-9 flex-1 items-center justify-between gap-2 rounded-md px-2 text-ink-2 hover:bg-press hover:text-ink pointer-coarse:min-h-11"
      >
        Page {number}
        <span className="text-xs text-ink-3 tabular-nums">
          {item_count}
          <span className="sr-only">{item_count > 1 ? ' éléments' : ' élément'}</span>
        </span>
      </a>
      <PageMenu number={number} page_count={page_count} canCopy={canCopy} actions={actions} />
    </li>
  )
})
