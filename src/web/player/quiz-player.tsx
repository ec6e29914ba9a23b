import { useLayoutEffect, useRef, useState } from 'react'
import { isSondage } from '#domain/quiz.ts'
import type { PlayerRules } from '#domain/scoring.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { progress, unanswered } from '#domain/taking.ts'
import { Ending } from './ending.tsx'
import { PageForm, type Posting } from './page-form.tsx'
import type { PaletteProperties } from './palette.ts'
import type { Run } from './run.ts'
import { useRun } from './use-run.ts'
import './player.css'

type Props = {
  snapshot: Snapshot
  /** PREVIEW_RULES or PUBLIC_RULES. */
  rules: PlayerRules
  /** From `paletteProperties`. Absent: the page's stylesheet sets them, as its policy wants. */
  palette?: PaletteProperties
  /** Where the run starts; absent: at its beginning. */
  initial?: Run
  posting?: Posting
  onChange?: (run: Run) => void
  /** Called in place of ending a quiz that has no results at all. */
  onMissingResults?: () => void
}

const HEADING = 'h1'
const FIRST_FIELD = '.q-page :is(input, textarea)'

/**
 * The player of preview and public page (spec §2, §4 « Taking a quiz »). It belongs to one
 * questionnaire: give it a `key` of that questionnaire's id.
 */
export const QuizPlayer = (props: Props) => {
  const { snapshot, rules, palette, initial, posting, onChange, onMissingResults } = props
  const { quiz, results } = snapshot
  const { run, pages, send } = useRun({ snapshot, rules, initial, onChange })
  const [isStrong, setIsStrong] = useState(false)
  // Until a script runs, nothing may be held back that only a script could let go.
  const [isLive, setIsLive] = useState(false)
  useLayoutEffect(() => setIsLive(true), [])
  const root = useRef<HTMLDivElement>(null)
  const focus = useRef<string | null>(null)
  useLayoutEffect(() => {
    const wanted = focus.current
    focus.current = null
    if (wanted === null) return
    const find = (selector: string) => root.current?.querySelector<HTMLElement>(selector)
    const target = find(wanted) ?? find(HEADING)
    target?.focus()
  })
  const turn = (kind: 'back' | 'next' | 'restart', wanted = HEADING): void => {
    if (send({ kind })) focus.current = wanted
  }
  const page = pages[run.page_index]
  const isLast = run.page_index === pages.length - 1
  const next = (): void => {
    const lacksResults = !isSondage(quiz) && results.length === 0
    if (isLast && lacksResults && onMissingResults) onMissingResults()
    else turn('next')
  }
  return (
    <div ref={root} className="q" style={palette} data-contrast={isStrong ? 'more' : undefined}>
      <div className="q-sheet">
        {run.is_finished && (
          <Ending
            quiz={quiz}
            result={run.result}
            onRestart={rules.can_restart ? () => turn('restart', FIRST_FIELD) : undefined}
          />
        )}
        {!run.is_finished && page && (
          <>
            {(pages.length > 1 || rules.always_shows_progress) && (
              <progress
                className="q-progress"
                aria-label="Progression"
                max={100}
                value={progress(run.page_index, pages.length)}
              />
            )}
            <h1 className="q-title" tabIndex={-1} aria-describedby="q-counter">
              {quiz.name}
            </h1>
            <PageForm
              key={page.number}
              page={page}
              page_index={run.page_index}
              page_count={pages.length}
              replies={run.replies}
              missing={isLive ? unanswered(page, run.replies, rules).length : 0}
              checks_formats={rules.needs_every_answer}
              posting={posting}
              onReply={(replies) => send({ kind: 'reply', replies })}
              onBack={() => turn('back')}
              onNext={next}
            />
          </>
        )}
        {pages.length === 0 && <h1 className="q-title">Aucune page disponible</h1>}
      </div>
      <footer className="q-footer">
        <button
          type="button"
          className="q-contrast"
          aria-pressed={isStrong}
          onClick={() => setIsStrong(!isStrong)}
        >
          Contraste renforcé
        </button>
      </footer>
    </div>
  )
}
