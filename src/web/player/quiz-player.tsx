import { Component, createRef, type ReactNode } from 'react'
import { groupIntoPages } from '#domain/pages.ts'
import { isSondage } from '#domain/quiz.ts'
import type { PlayerRules } from '#domain/scoring.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { progress, type SnapshotPage, unanswered } from '#domain/taking.ts'
import { Ending } from './ending.tsx'
import { frenchText } from './french-text.ts'
import { PageForm, type Posting } from './page-form.tsx'
import type { PaletteProperties } from './palette.ts'
import { NEW_RUN, nextRun, type Run, type RunEvent } from './run.ts'
import './player.css'

type Props = {
  snapshot: Snapshot
  /** PREVIEW_RULES or PUBLIC_RULES. */
  rules: PlayerRules
  /** From `paletteProperties`. Absent: the page's stylesheet sets them, as its policy wants. */
  palette?: PaletteProperties
  /** Where the run starts; absent: at its beginning. */
  initial?: Run
  /** From the server alone: a form of pages for browsers that run no script. */
  posting?: Posting
  /** Told of every run that differs from the one before. */
  onChange?: (run: Run) => void
  /** Given the player, once. */
  onMount?: (player: QuizPlayer) => void
  /** Asked before the run ends; false leaves it on its last page. */
  mayEnd?: () => boolean
  /** Whether the answers were not taken by the server. */
  is_refused?: boolean
  /** What stands below the end. */
  after_end?: ReactNode
}

type State = {
  run: Run
  is_strong: boolean
  /** Until a script runs, nothing may be held back that only a script could let go. */
  is_live: boolean
  /** Whether the server did not take the answers. */
  is_refused: boolean
}

/**
 * The player of preview and public page (spec §2, §4 « Taking a quiz »). It belongs to one
 * questionnaire: give it a `key` of that questionnaire's id. A class, as visitors download no hooks.
 */
export class QuizPlayer extends Component<Props, State> {
  root = createRef<HTMLDivElement>()
  pages: SnapshotPage[] = groupIntoPages(this.props.snapshot)
  /** Events may come faster than renders: each starts from the run that the last one left. */
  run: Run = this.props.initial ?? NEW_RUN
  override state: State = {
    run: this.run,
    is_strong: false,
    is_live: false,
    is_refused: this.props.is_refused ?? false,
  }

  send(event: RunEvent): void {
    const { snapshot, rules, onChange } = this.props
    const run = nextRun({ snapshot, pages: this.pages, rules }, this.run, event)
    if (run === this.run) return
    this.run = run
    this.setState({ run })
    onChange?.(run)
  }

  /** Shows this page, or the nearest that may be shown; gives the one that is. */
  goTo = (page_index: number): number => {
    this.send({ kind: 'go', page_index })
    return this.run.page_index
  }

  next = (): void => {
    const isLast = this.run.page_index === this.pages.length - 1
    if (!isLast || this.props.mayEnd?.() !== false) this.send({ kind: 'next' })
  }

  override componentDidMount(): void {
    this.setState({ is_live: true })
    this.props.onMount?.(this)
  }

  override componentDidUpdate(_: Props, { run: before }: State): void {
    if (this.state.run.page_index !== before.page_index)
      this.root.current?.querySelector('h1')?.focus()
  }

  override render() {
    const { snapshot, rules, palette, posting, after_end } = this.props
    const { run, is_strong, is_live, is_refused } = this.state
    const page_count = this.pages.length
    const page = this.pages[run.page_index]
    return (
      <div
        ref={this.root}
        className="q"
        style={palette}
        data-contrast={is_strong ? 'more' : undefined}
      >
        <div className="q-sheet">
          {page ? (
            <>
              {(page_count > 1 || rules.always_shows_progress) && (
                <progress
                  className="q-progress"
                  aria-label="Progression"
                  max={100}
                  value={progress(run.page_index, page_count)}
                />
              )}
              <h1 className="q-title" dir="auto" tabIndex={-1}>
                {frenchText(snapshot.quiz.name)}
              </h1>
              <p className="q-said" role="status">
                {`Page ${run.page_index + 1} sur ${page_count}`}
              </p>
              <PageForm
                key={page.number}
                page={page}
                page_index={run.page_index}
                page_count={page_count}
                end_label={isSondage(snapshot.quiz) ? 'Envoyer' : 'Voir le résultat'}
                replies={run.replies}
                missing={is_live && !run.is_finished ? unanswered(page, run.replies, rules) : []}
                is_live={is_live}
                checks_formats={rules.needs_every_answer}
                is_finished={run.is_finished}
                posting={posting}
                onReply={(replies) => this.send({ kind: 'reply', replies })}
                onBack={() => this.goTo(run.page_index - 1)}
                onNext={this.next}
              />
            </>
          ) : (
            <Ending quiz={snapshot.quiz} run={run} is_refused={is_refused}>
              {after_end}
            </Ending>
          )}
        </div>
        <footer className="q-footer">
          <button
            type="button"
            className="q-contrast"
            aria-pressed={is_strong}
            onClick={() => this.setState({ is_strong: !is_strong })}
          >
            Contraste renforcé
          </button>
        </footer>
      </div>
    )
  }
}
