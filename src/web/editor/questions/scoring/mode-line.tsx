import { Info, RotateCcw } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { QuizMode } from '#domain/common/vocabulary.ts'
import type { Question, Result } from '#domain/questionnaire/quiz.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import { ADD_ITEM_ID, associationId, scoreId } from '#web/editor/fields/field-ids.ts'
import { focusElement, focusFirst } from '#web/editor/fields/focus.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { resultColorStyle } from '#web/ui/result-colors.ts'

const TiersBar = lazyPart(
  () => import('./tiers-bar.tsx'),
  'La barre des paliers n’a pas pu être chargée.',
)

type Words = { title: string; text: string }

const UNSET: Words = {
  title: 'Aucun mode choisi',
  text: 'Le premier score saisi choisit le mode score ; la première association cochée, le mode profils.',
}
const WORDS: Record<NonNullable<QuizMode>, Words & { erased: string }> = {
  score: {
    title: 'Mode score',
    text: 'Les scores des réponses s’additionnent : le total désigne le résultat dont le palier le contient.',
    erased: 'Tous les scores et tous les paliers seront effacés.',
  },
  profils: {
    title: 'Mode profils',
    text: 'Chaque réponse compte pour les résultats cochés : le plus souvent désigné l’emporte.',
    erased: 'Toutes les associations seront effacées.',
  },
}

/**
 * Shows in one line how the result is computed (product 4.1, 4.2): the mode, its tiers or results, and a button that
 * resets the mode.
 */
export const ModeLine = ({
  mode,
  results,
  questions,
  reachable,
  change,
  onReset,
}: {
  mode: QuizMode
  results: readonly Result[]
  questions: readonly Question[]
  reachable: Range
  change: ChangeQuestions
  onReset: () => void
}) => {
  const { confirm } = useDialogs()
  const words = mode ? WORDS[mode] : UNSET

  const reset = async (): Promise<void> => {
    if (!mode) return
    const isConfirmed = await confirm(
      `Voulez-vous vraiment réinitialiser le mode ? ${WORDS[mode].erased}`,
      { confirm_label: 'Réinitialiser', danger: true },
    )
    if (isConfirmed) onReset()
  }

  return (
    <section
      aria-label="Mode de calcul"
      className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-wash px-4 py-1 sm:px-5"
    >
      <h2 className="flex items-center gap-1.5 font-medium" title={words.text}>
        <Info aria-hidden="true" className="size-4 shrink-0 text-brand" />
        {words.title}
      </h2>
      {mode === 'score' && (
        <Suspense fallback={<div className="h-6.5 max-sm:order-last max-sm:basis-full" />}>
          <TiersBar results={results} reachable={reachable} change={change} />
        </Suspense>
      )}
      {mode === 'profils' && <Profiles results={results} />}
      {mode === null && (
        <>
          <p
            className={`min-w-0 flex-1 basis-56 text-ink-2 ${questions.length === 0 ? 'max-sm:hidden' : ''}`}
          >
            {words.text}
          </p>
          <WaysToBegin questions={questions} />
        </>
      )}
      {mode && (
        <Button
          variant="ghost"
          size="compact"
          icon={<RotateCcw aria-hidden="true" />}
          aria-label="Réinitialiser le mode"
          title="Réinitialiser le mode"
          onClick={reset}
          className="ml-auto"
        >
          <span className="max-lg:hidden">Réinitialiser le mode</span>
        </Button>
      )}
    </section>
  )
}

/** Lists the results in the colours of the answers' pills. */
const Profiles = ({ results }: { results: readonly Result[] }) => (
  <ul
    aria-label="Résultats"
    className="flex min-w-0 flex-1 gap-1 overflow-hidden max-sm:order-last max-sm:basis-full"
  >
    {results.map(({ id, name }, index) => (
      <li
        key={id}
        title={name}
        style={resultColorStyle(index)}
        className="result-tint min-w-8 truncate rounded-sm px-2 text-xs leading-6"
        dir="auto"
      >
        {name}
      </li>
    ))}
  </ul>
)

/** Shows the two ways to begin. Each focuses its first field; without answers, it says how to get one. */
const WaysToBegin = ({ questions }: { questions: readonly Question[] }) => {
  const [isMissing, setMissing] = useState(false)
  const answer = questions.flatMap(({ answers }) => answers)[0]
  const begin = (mode: NonNullable<QuizMode>): void => {
    const field = answer && (mode === 'score' ? scoreId(answer.id) : associationId(answer.id))
    if (field && focusFirst([field])) return
    setMissing(true)
    focusElement(ADD_ITEM_ID)
  }
  return (
    <>
      <fieldset aria-label="Choisir un mode" className="flex gap-2">
        <Button onClick={() => begin('profils')}>Profils</Button>
        <Button onClick={() => begin('score')}>Score</Button>
      </fieldset>
      <p role="status" className="basis-full text-sm text-warn empty:hidden">
        {!answer && isMissing ? 'Ajoutez d’abord une question à choix multiple.' : null}
      </p>
    </>
  )
}
