/** @jsxImportSource #web/player */
import type { ReactNode } from 'react'
import { groupIntoPages, progress } from '#domain/questionnaire/pages.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import type { PlayerRules } from '#domain/run/scoring.ts'
import { Logo } from '#web/player/content/picture-slot.tsx'
import type { EndLinks } from '#web/player/ending/end-props.ts'
import { Ending } from '#web/player/ending/ending.tsx'
import type { FieldProps } from '#web/player/fields/field-props.ts'
import { parts } from '#web/player/parts.ts'
import type { Refusal } from '#web/player/run/player-api.ts'
import { firstPageIndex, nextPageIndex, type Run } from '#web/player/run/run.ts'
import { PageForm } from './page-form.tsx'
import type { FormState, NoscriptProps, PlayerActions } from './page-props.ts'
import { Welcome } from './welcome.tsx'
import './player.css'

/** Content and callbacks of a player, apart from its state. */
export type PlayerOptions = {
  snapshot: RichSnapshot
  /** PREVIEW_RULES or PUBLIC_RULES. */
  rules: PlayerRules
  /**
   * Orders the answers of a question for each visitor. Shuffled answers stay invisible until a script provides this
   * function.
   */
  orderAnswers?: FieldProps['orderAnswers']
  /** The reason why the answers of the run are not transmitted. */
  refusal?: Refusal | undefined
  /** True if answers of an earlier visit were refused. */
  has_lost?: boolean
  /** Links of the end page. */
  links?: EndLinks
  /** Returns the content below the end. */
  renderAfterEnd?: (run: Run) => ReactNode
}

type Props = PlayerOptions & {
  run: Run
  form: FormState
  /** True with « Contraste renforcé ». */
  is_strong?: boolean
  /** True if a script runs. Until then « Suivant » must not be disabled, because only the script could enable it. */
  is_live?: boolean
  actions?: Partial<PlayerActions>
  /** Set by the server only: props of the form for browsers without scripts. */
  noscript?: NoscriptProps
}

/** Renders the player of the preview and of the public page (product 8.3). */
export const QuizPlayer = (props: Props) => {
  const { snapshot, rules, run, is_live = false, is_strong = false, noscript, actions = {} } = props
  const { page_index } = run
  const { quiz } = snapshot
  const pages = groupIntoPages(snapshot)
  const { length: page_count, [page_index]: page } = pages
  const insertions =
    parts.insertionsOf?.(snapshot, run.replies, run.is_finished ? run.result : undefined) ?? null
  const next_index = is_live ? nextPageIndex({ snapshot, pages }, run) : page_index + 1
  return (
    <div className="q" data-contrast={is_strong ? 'more' : undefined}>
      <div className="q-sheet">
        <Logo image_id={quiz.logo_image_id} />
        {props.has_lost && (
          <p className="q-refused" role="status">
            Des réponses n’ont pas été transmises.
          </p>
        )}
        {page_index < 0 && <Welcome quiz={quiz} noscript={noscript} />}
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
              {quiz.name}
            </h1>
            <p className="q-said" role="status">
              {`Page ${page_index + 1} sur ${page_count}`}
            </p>
            <PageForm
              key={page.number}
              page={page}
              page_index={page_index}
              page_count={page_count}
              is_first={page_index === firstPageIndex(snapshot)}
              is_last={next_index >= page_count}
              quiz={quiz}
              run={run}
              form={props.form}
              orderAnswers={is_live || noscript ? props.orderAnswers : undefined}
              insertions={insertions}
              is_live={is_live}
              rules={rules}
              noscript={noscript}
              actions={actions}
            />
          </>
        )}
        {page_index >= page_count && <Ending {...props} insertions={insertions} />}
      </div>
      <footer className="q-footer">
        <button
          type="button"
          className="q-contrast"
          aria-pressed={is_strong}
          onClick={actions.toggleContrast}
        >
          Contraste renforcé
        </button>
      </footer>
    </div>
  )
}
