import {
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { groupIntoPages, progress } from '#domain/questionnaire/pages.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import { insertionsOf, type RichSnapshot } from '#domain/run/rich-text.ts'
import type { PlayerRules } from '#domain/run/scoring.ts'
import { HAS_PAGE_OPTIONS } from '#web/player/content/has-page-options.ts'
import { HAS_QUESTION_OPTIONS } from '#web/player/content/has-question-options.ts'
import { Logo } from '#web/player/content/picture.tsx'
import { ChangingText } from '#web/player/content/rich-text.tsx'
import { Ending, type EndLinks } from '#web/player/ending/ending.tsx'
import type { FieldProps } from '#web/player/fields/field-props.ts'
import type { Refusal } from '#web/player/run/player-api.ts'
import {
  firstIndex,
  NEW_RUN,
  nextPageIndex,
  nextRun,
  type Run,
  type RunEvent,
} from '#web/player/run/run.ts'
import { type NoscriptProps, PageForm } from './page-form.tsx'
import type { PaletteProperties } from './palette.ts'
import { Welcome } from './welcome.tsx'
import './player.css'

/** Commands that a page can give to its player. */
export type PlayerHandle = {
  /** Shows this page, or the nearest page that may be shown; returns the index of the shown page. */
  goTo: (page_index: number) => number
}

type Props = {
  snapshot: RichSnapshot
  /** PREVIEW_RULES or PUBLIC_RULES. */
  rules: PlayerRules
  /**
   * Result of `paletteProperties`; absent where the page's stylesheet sets the colours, as its security policy
   * requires.
   */
  palette?: PaletteProperties
  /** The run to continue; absent for a new run. */
  initial?: Run
  /** Set by the server only: props of the form for browsers without scripts. */
  noscript?: NoscriptProps
  /**
   * Orders the answers of a question for each visitor. Shuffled answers stay invisible until a script provides this
   * function.
   */
  orderAnswers?: FieldProps['orderAnswers']
  /** Called with each changed run. */
  onChange?: (run: Run) => void
  /** Called before the run ends; false keeps the run on its last page. */
  mayEnd?: () => boolean
  /** The reason why the server has refused the answers. */
  refusal?: Refusal | undefined
  /** Links of the end page. */
  links?: EndLinks
  /** Content below the end. */
  after_end?: ReactNode
  /** Ref that receives the commands. */
  handle?: RefObject<PlayerHandle | null>
}

/**
 * Renders the player of the preview and of the public page (spec §2, §4 « Taking a quiz »). A player belongs to one
 * questionnaire: give it the questionnaire's id as its `key`.
 */
export const QuizPlayer = ({
  snapshot,
  rules,
  palette,
  initial,
  noscript,
  orderAnswers,
  onChange,
  mayEnd,
  refusal,
  links,
  after_end,
  handle,
}: Props) => {
  const root = useRef<HTMLDivElement>(null)
  const pages = useMemo(() => groupIntoPages(snapshot), [snapshot])
  const [run, setRun] = useState(initial ?? { ...NEW_RUN, page_index: firstIndex(snapshot) })
  const [is_strong, setStrong] = useState(false)
  // Until the script runs, « Suivant » must not be disabled, because only the script could enable it.
  const [is_live, setLive] = useState(false)
  // Several events may come before a render, so each starts from the run after the previous event.
  const latest = useRef(run)
  const send = useCallback(
    (event: RunEvent): Run => {
      const before = latest.current
      const isEnding =
        event.kind === 'next' && nextPageIndex({ snapshot, pages }, before) === pages.length
      if (isEnding && mayEnd?.() === false) return before
      const after = nextRun({ snapshot, pages, rules }, before, event)
      if (after !== before) {
        latest.current = after
        setRun(after)
        onChange?.(after)
      }
      return after
    },
    [snapshot, pages, rules, onChange, mayEnd],
  )
  useLayoutEffect(() => {
    if (handle)
      handle.current = { goTo: (page_index) => send({ kind: 'go', page_index }).page_index }
  }, [handle, send])
  useLayoutEffect(() => setLive(true), [])

  const { page_index } = run
  const focused_page = useRef(page_index)
  useLayoutEffect(() => {
    if (page_index !== focused_page.current) root.current?.querySelector('h1')?.focus()
    focused_page.current = page_index
  }, [page_index])

  const page_count = pages.length
  const insertions = insertionsOf(snapshot, run.replies, run.is_finished ? run.result : undefined)
  const page = pages[page_index]
  const context = { snapshot, pages }
  return (
    <div ref={root} className="q" style={palette} data-contrast={is_strong ? 'more' : undefined}>
      <div className="q-sheet">
        {HAS_PAGE_OPTIONS && <Logo image_id={snapshot.quiz.logo_image_id} />}
        {HAS_PAGE_OPTIONS && page_index < 0 && (
          <Welcome quiz={snapshot.quiz} noscript={noscript} send={send} />
        )}
        {page && (
          <>
            {(page_count > 1 || rules.always_shows_progress) && (
              <progress
                className="q-progress"
                aria-label="Progression"
                max={100}
                value={progress(page_index, page_count)}
              />
            )}
            <h1 className="q-title" dir="auto" tabIndex={-1}>
              {snapshot.quiz.name}
            </h1>
            <p className="q-said" role="status">
              <ChangingText>{`Page ${page_index + 1} sur ${page_count}`}</ChangingText>
            </p>
            <PageForm
              key={page.number}
              page={page}
              page_index={page_index}
              page_count={page_count}
              page_before={
                page_index > firstIndex(snapshot) ? nextPageIndex(context, run, -1) : undefined
              }
              is_last={
                page_index === page_count - 1 ||
                (is_live && nextPageIndex(context, run) >= page_count)
              }
              end_label={isSondage(snapshot.quiz) ? 'Envoyer' : 'Voir le résultat'}
              replies={run.replies}
              current={run.replies}
              orderAnswers={
                HAS_QUESTION_OPTIONS && (is_live || noscript) ? orderAnswers : undefined
              }
              insertions={insertions}
              is_live={is_live}
              rules={rules}
              is_finished={run.is_finished}
              noscript={noscript}
              send={send}
            />
          </>
        )}
        {page_index >= page_count && (
          <Ending
            snapshot={snapshot}
            run={run}
            insertions={insertions}
            refusal={refusal}
            links={links}
          >
            {after_end}
          </Ending>
        )}
      </div>
      <footer className="q-footer">
        <button
          type="button"
          className="q-contrast"
          aria-pressed={is_strong}
          onClick={() => setStrong(!is_strong)}
        >
          Contraste renforcé
        </button>
      </footer>
    </div>
  )
}
