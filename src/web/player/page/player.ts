import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { otherField } from '#domain/run/replies.ts'
import { findBlockingQuestions } from '#domain/run/submission-checks.ts'
import { type Field, focusNextOnEnter, readReplies } from '#web/player/fields/page-fields.ts'
import { createRenderer } from '#web/player/jsx-runtime'
import { parts } from '#web/player/parts.ts'
import { nextPageIndex, nextRun, type Run, type RunEvent } from '#web/player/run/run.ts'
import { visibleReplies } from '#web/player/run/visible-replies.ts'
import type { FormState } from './page-props.ts'
import { type PlayerOptions, QuizPlayer } from './quiz-player.tsx'

type Options = PlayerOptions & {
  /** Called with each changed run. */
  onRunChange?: (run: Run) => void
  /** Called with the ended run before its end is shown; false keeps the run on its last page, as an exception does. */
  onBeforeEnd?: ((ended: Run) => boolean | undefined) | undefined
  /** Called if an exception keeps the visitor from going on, before the exception is reported. */
  onFailure?: () => void
}

/** A player in an element of a page. */
export type Player = {
  /** Shows the player again, with its present options. */
  show: () => void
  /** Copies the values of the fields into the run. Password managers may fill a field without an event. */
  read: () => Run
  /** Shows this page, or the nearest page that may be shown; returns the index of the shown page. */
  goTo: (page_index: number) => number
  /** Shows a new run. */
  restart: (run: Run) => void
}

/**
 * Creates the player of a run in an element, and keeps what the server has rendered there. State, events and
 * focus are only in this function. The markup is a function of the state and of `readOptions`.
 */
export const createPlayer = (
  container: HTMLElement,
  readOptions: () => Options,
  initial: Run,
): Player => {
  const render = createRenderer(container)
  // The pages of an ended run show no typed text, because the next person may go back to them.
  const openForm = (): FormState => ({ replies: visibleReplies(readOptions().snapshot, run) })
  let run = initial
  let form = openForm()
  let is_strong = false
  let is_live = false
  let isRendering = false

  const show = (): void => {
    // A removed field that had the focus causes an event.
    if (isRendering) return
    isRendering = true
    const options = readOptions()
    if (run.is_finished && run.detail === undefined && parts.resultDetail) {
      run = { ...run, detail: parts.resultDetail(options.snapshot, run.replies) }
      options.onRunChange?.(run)
    }
    render(QuizPlayer({ ...options, run, form, is_strong, is_live, actions }))
    isRendering = false
  }
  /** Focuses the title of a page, or the summary of its corrections, which follows the title. */
  const focusTitle = (): void =>
    (container.querySelector<HTMLElement>('.q-sum') ?? container.querySelector('h1'))?.focus()

  const send = (event: RunEvent): Run => {
    const { snapshot, rules, onRunChange, onBeforeEnd } = readOptions()
    const pages = groupIntoPages(snapshot)
    const after = nextRun(
      { snapshot, pages, rules, freezeReplies: parts.freezeReplies },
      run,
      event,
    )
    if (after.is_finished !== run.is_finished && onBeforeEnd?.(after) === false) return run
    if (after === run) return run
    run = after
    // Every event but a reply shows another page, or the corrections of the page.
    if (event.kind !== 'reply') form = openForm()
    onRunChange?.(run)
    show()
    if (event.kind !== 'reply') focusTitle()
    return run
  }

  const read = (): Run => {
    const shown = container.querySelector<HTMLFormElement>('.q-page')
    return shown && !isRendering ? send({ kind: 'reply', replies: readReplies(shown) }) : run
  }

  /** Focuses a field and scrolls to it; shows its error when `isWrong`. */
  const focusField = (field: Field | null | undefined, isWrong = true): void => {
    if (field && isWrong) form.invalid_field = field.name
    show()
    field?.focus()
    field?.closest('.q-item')?.scrollIntoView({ block: 'nearest' })
  }

  const focusQuestion = ({ id }: SnapshotQuestion): void => {
    const other = parts.findBlankOther?.(container)
    if (other?.name === otherField(id)) focusField(other)
    else focusField(container.querySelector<Field>(`[name="${id}"]:not([type=hidden])`), false)
  }

  const goToNextPage = (): void => {
    parts.cleanFields?.(container)
    const { replies, is_finished, page_index } = read()
    const { snapshot, rules } = readOptions()
    const page = groupIntoPages(snapshot)[page_index]
    const [missing] = page && !is_finished ? findBlockingQuestions(page, replies, rules) : []
    if (missing) {
      form.was_blocked = true
      focusQuestion(missing)
      return
    }
    const invalid =
      parts.findBlankOther?.(container) ||
      (rules.needs_every_answer && container.querySelector<Field>('.q-input:invalid'))
    if (invalid) focusField(invalid)
    else send({ kind: 'next' })
  }

  const submit = (event: Event): void => {
    event.preventDefault()
    try {
      goToNextPage()
    } catch (error) {
      readOptions().onFailure?.()
      throw error
    }
  }

  /** Shows the error of an invalid number or date on blur, because its value reads as '' like a blank field. */
  const showInvalidValue = ({ target }: Event): void => {
    read()
    const invalid = !isRendering && parts.findBadInput?.(target)
    if (!invalid) return
    form.invalid_field = invalid
    show()
  }

  const edit = (): void => {
    form.invalid_field = undefined
    read()
    show()
  }

  const actions = {
    focusQuestion,
    goBack: (): void => {
      const { snapshot } = readOptions()
      const pages = groupIntoPages(snapshot)
      send({ kind: 'go', page_index: nextPageIndex({ snapshot, pages }, read(), -1) })
    },
    toggleContrast: (): void => {
      is_strong = !is_strong
      show()
    },
  }

  const listeners = {
    input: edit,
    change: read,
    focusout: showInvalidValue,
    submit,
    beforeinput: (event: Event) => parts.normalizeDecimals?.(event as InputEvent),
    keydown: focusNextOnEnter,
  }
  for (const [name, listener] of Object.entries(listeners))
    container.addEventListener(name, listener as EventListener)
  // The first markup is the server's, so that its elements are found.
  if (container.hasChildNodes()) show()
  // The form may contain text typed before the script ran.
  read()
  is_live = true
  show()
  return {
    show,
    read,
    goTo: (page_index) => send({ kind: 'go', page_index }).page_index,
    restart: (started) => {
      run = started
      form = openForm()
      show()
      focusTitle()
    },
  }
}
