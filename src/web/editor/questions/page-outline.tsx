import { focusElement } from './focus-after.ts'
import { pageHeadingId } from './question-words.ts'

/** Links to the pages of a long questionnaire, beside it. */
export const PageOutline = ({ counts }: { counts: readonly number[] }) => (
  <nav aria-label="Pages du questionnaire" className="hidden xl:block">
    <ol className="sticky top-6 flex max-h-[calc(100dvh-3rem)] flex-col gap-0.5 overflow-y-auto p-1">
      {counts.map((count, index) => {
        const id = pageHeadingId(index + 1)
        return (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault()
                focusElement(id)
              }}
              className="flex min-h-8 items-center justify-between gap-2 rounded-md px-2 text-ink-2 hover:bg-press hover:text-ink"
            >
              Page {index + 1}
              <span className="text-xs text-ink-3 tabular-nums">
                {count}
                <span className="sr-only">{count > 1 ? ' éléments' : ' élément'}</span>
              </span>
            </a>
          </li>
        )
      })}
    </ol>
  </nav>
)
