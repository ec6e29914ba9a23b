import { Check, ListChecks, Lock, type LucideIcon, Palette, Trophy } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { MIN_RESULTS } from '#domain/common/vocabulary.ts'
import type { HelpPlace } from '#domain/help/help-places.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { STEPS, type Step, type StepState, stepStates } from '#web/editor/fields/steps.ts'
import { HelpLink } from '#web/ui/help-link.tsx'

/** French titles of the steps. */
export const STEP_TITLES: Record<Step, string> = {
  results: 'Résultats',
  questions: 'Questions',
  settings: 'Réglages',
}
const DESCRIPTIONS: Record<Step, string> = {
  results: 'Ce que l’on découvre à la fin',
  questions: 'Ce que l’on demande',
  settings: 'Couleurs et intégrations',
}
const ICONS: Record<Step, LucideIcon> = {
  results: Trophy,
  questions: ListChecks,
  settings: Palette,
}
/** Subjects of the help, by step. */
const HELP_LINKS: Record<Step, HelpPlace> = {
  results: { about: 'résultats', page: 'score-ou-profils' },
  questions: { about: 'questions', page: 'questions' },
  settings: { about: 'thèmes et couleurs', page: 'apparence' },
}
const LOCKED_TITLE = 'Créez au moins 2 résultats pour débloquer cette étape'

const SCREEN_READER_TEXTS: Record<StepState, string> = {
  done: ' (étape terminée)',
  current: '',
  open: '',
  locked: ' (étape verrouillée)',
}
const STEP_STYLES: Record<StepState, string> = {
  done: 'text-ink-2 hover:bg-press hover:text-ink',
  current: 'bg-brand-wash text-brand',
  open: 'text-ink-2 hover:bg-press hover:text-ink',
  locked: 'text-ink-3',
}
const MARKER_STYLES: Record<StepState, string> = {
  done: 'bg-ok text-paper',
  current: 'bg-brand text-on-brand',
  open: 'bg-press text-ink-2',
  locked: 'bg-press text-ink-3',
}

/** Shows the three steps of a quiz (product 7.7), and a link to the help about the current one. */
export const StepBar = ({
  quiz,
  current,
  result_count,
  question_count,
}: {
  quiz: Pick<Quiz, 'id' | 'type'>
  current: Step
  result_count: number
  question_count: number
}) => {
  const states = stepStates(current, { quiz, result_count, question_count })
  return (
    <div className="flex items-center gap-1">
      <nav aria-label="Étapes" className="grow">
        <ol className="grid grid-cols-3 gap-1">
          {STEPS.map((step, index) => (
            <li key={step} className="min-w-0">
              <StepLink step={step} state={states[step]} to={`/quiz/${quiz.id}/${step}`}>
                <Disc state={states[step]} number={index + 1} />
                <StepText step={step} state={states[step]} result_count={result_count} />
              </StepLink>
            </li>
          ))}
        </ol>
      </nav>
      <span className="max-[24rem]:hidden">
        <HelpLink {...HELP_LINKS[current]} />
      </span>
    </div>
  )
}

const StepLink = ({
  step,
  state,
  to,
  children,
}: {
  step: Step
  state: StepState
  to: string
  children: ReactNode
}) => {
  const looks = `flex h-full min-h-10 items-center gap-2 rounded-2xl px-2.5 py-1 max-sm:flex-col max-sm:justify-center max-sm:gap-0.5 max-sm:px-1 max-sm:py-0.5 transition-colors pointer-coarse:min-h-11 ${STEP_STYLES[state]}`
  if (state === 'locked')
    return (
      // `aria-disabled` instead of `disabled`, so that keyboard users can focus the button and learn why the
      // step is locked.
      <button
        type="button"
        aria-disabled="true"
        title={LOCKED_TITLE}
        className={`${looks} w-full cursor-not-allowed text-left`}
      >
        {children}
      </button>
    )
  return (
    <Link
      to={to}
      title={DESCRIPTIONS[step]}
      aria-current={state === 'current' ? 'step' : undefined}
      className={looks}
    >
      {children}
    </Link>
  )
}

const Disc = ({ state, number }: { state: StepState; number: number }) => (
  <span
    className={`flex h-5 min-w-5 shrink-0 items-center justify-center gap-0.5 rounded-full text-[11px] font-semibold tabular-nums ${state === 'done' ? 'px-1.5 max-sm:px-1' : ''} ${MARKER_STYLES[state]}`}
  >
    {state === 'done' && <Check aria-hidden="true" className="size-3.5" />}
    {number}
  </span>
)

const StepText = ({
  step,
  state,
  result_count,
}: {
  step: Step
  state: StepState
  result_count: number
}) => {
  const isLocked = state === 'locked'
  const Icon = isLocked ? Lock : ICONS[step]
  return (
    <span className="min-w-0 max-sm:text-center">
      <span className="flex items-center gap-1.5 text-sm leading-4.5 font-medium max-sm:justify-center max-sm:gap-1 max-sm:text-xs">
        <Icon aria-hidden="true" className="size-3.5 shrink-0" strokeWidth={1.75} />
        <span className="min-w-0 wrap-anywhere">{STEP_TITLES[step]}</span>
        {isLocked && (
          <span className="truncate text-[11px] font-normal max-xl:hidden">
            {DESCRIPTIONS[step]}
          </span>
        )}
        <span className="sr-only">{SCREEN_READER_TEXTS[state]}</span>
      </span>
      <span
        className={`block text-[11px] leading-3.5 text-ink-3 ${isLocked ? '' : 'max-sm:sr-only'}`}
      >
        {isLocked
          ? `Créez au moins 2 résultats (${result_count}/${MIN_RESULTS})`
          : DESCRIPTIONS[step]}
      </span>
    </span>
  )
}
