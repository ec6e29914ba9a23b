import { type RefObject, useState } from 'react'
import { MAX_TEXT_LENGTH } from '#domain/text-format/lines.ts'
import { CONTROL } from '#web/ui/form/text-field.tsx'

/** Height of a line in pixels, equal to `leading-6`. Lines are never wrapped, so that each has its number. */
const LINE_HEIGHT = 24
/** Largest number of rendered line numbers, more than fit on any screen. */
const MAX_SHOWN_LINES = 80

/** Selects a line, focuses the field and scrolls to the line. */
export const focusLine = (field: HTMLTextAreaElement, line: number): void => {
  const lines = field.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  field.focus()
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  field.scrollTop = Math.max(0, (line - 3) * LINE_HEIGHT)
  field.scrollLeft = 0
}

/** Renders a text field with line numbers; the numbers of `wrong` lines are marked. */
export const NumberedText = ({
  id,
  field,
  value,
  wrong,
  describedBy,
  onChange,
  onTooLong,
}: {
  id: string
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  wrong: ReadonlySet<number>
  describedBy: string
  onChange: (text: string) => void
  /** Called when a pasted text is too long and is rejected, because browsers freeze on such texts. */
  onTooLong: (length: number) => void
}) => {
  const [scrolled, setScrolled] = useState(0)
  const count = countLines(value)
  const first = Math.floor(scrolled / LINE_HEIGHT)
  const shown = Math.min(count - first, MAX_SHOWN_LINES)
  return (
    <div className="flex h-[45dvh] min-h-60 overflow-hidden rounded-lg border border-field bg-paper has-focus-visible:border-brand has-aria-invalid:border-bad">
      <div
        aria-hidden="true"
        className="w-12 shrink-0 overflow-hidden border-r border-line bg-wash pt-2 text-right font-mono text-xs text-ink-3"
      >
        <div style={{ transform: `translateY(${first * LINE_HEIGHT - scrolled}px)` }}>
          {Array.from({ length: Math.max(0, shown) }, (_, index) => first + index + 1).map(
            (line) => (
              <div
                key={line}
                className={`h-6 pr-2 leading-6 ${wrong.has(line) ? 'bg-bad-wash font-semibold text-bad' : ''}`}
              >
                {wrong.has(line) ? `! ${line}` : line}
              </div>
            ),
          )}
        </div>
      </div>
      <textarea
        ref={field}
        id={id}
        value={value}
        wrap="off"
        spellCheck={false}
        aria-invalid={wrong.size > 0 || undefined}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onPaste={(event) => {
          const { length } = event.clipboardData.getData('text/plain')
          if (length <= MAX_TEXT_LENGTH) return
          event.preventDefault()
          onTooLong(length)
        }}
        onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop)}
        className={`${CONTROL} min-w-0 flex-1 resize-none rounded-none border-0 py-2 font-mono leading-6`}
      />
    </div>
  )
}

const countLines = (text: string): number => {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
