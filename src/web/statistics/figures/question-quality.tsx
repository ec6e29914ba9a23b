import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { JudgedQuestion } from '#domain/statistics/question-quality.ts'
import { errorText } from '#web/api/error-text.ts'
import { probabilityLabel } from '#web/odds/odds-labels.ts'
import { formatNumber, formatParticipants, MISSING } from '#web/statistics/format/format.ts'
import { type Quality, questionQualityQuery } from '#web/statistics/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { alphaText, questionAdvice } from './question-quality-labels.ts'

/** Renders whether the questions of a quiz by score distinguish its participants; loaded on demand. */
export const QuestionQuality = ({ quizId }: { quizId: string }) => {
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLElement>(null)
  const { data, error, refetch } = useQuery({ ...questionQualityQuery(quizId), enabled: isOpen })
  // The pressed button disappears.
  const focusBox = (): void => box.current?.focus()
  return (
    <section
      aria-labelledby="question-quality"
      className={`flex flex-col gap-4 ${isOpen ? '' : 'print:hidden'}`}
    >
      <h2 id="question-quality" tabIndex={-1} className="text-lg font-semibold">
        Qualité des questions
      </h2>
      <article
        ref={box}
        tabIndex={-1}
        className="flex min-w-0 flex-col gap-4 rounded-xl border border-line p-4"
      >
        <p role="status" className={data ? 'font-medium' : 'sr-only'}>
          {isOpen && !error && (data ? verdictOn(data) : 'Analyse des questions…')}
        </p>
        {error && (
          <div className="flex flex-wrap items-center gap-3">
            <p role="alert" className="text-bad">
              {errorText(error)}
            </p>
            <Button
              variant="ghost"
              onClick={() => {
                focusBox()
                void refetch()
              }}
            >
              Réessayer
            </Button>
          </div>
        )}
        {data?.quality && <Figures {...data} quality={data.quality} />}
        {isOpen && !data && !error && <Placeholder />}
        {!isOpen && (
          <>
            <p className="text-ink-2">
              Vos questions mesurent-elles la même chose ? Lesquelles décident du résultat,
              lesquelles ne servent à rien ? Calculé sur les réponses de vos participants.
            </p>
            <Button
              className="self-start"
              onClick={() => {
                setOpen(true)
                focusBox()
              }}
            >
              Analyser les questions
            </Button>
          </>
        )}
      </article>
    </section>
  )
}

const Placeholder = () =>
  ['w-3/4', 'w-full', 'w-2/3'].map((width) => (
    <div key={width} aria-hidden="true" className={`appear-late h-5 ${width} rounded bg-press`} />
  ))

const verdictOn = ({ quality, reason = 'too_few' }: Quality): string =>
  quality ? alphaText(quality) : REASONS[reason]

const REASONS = {
  no_score: 'La version publiée ne compte pas de score : il n’y a pas de points à comparer.',
  too_few:
    'Moins de 30 participants ont des réponses qui tiennent encore dans la version publiée : ce serait du hasard.',
}

const Figures = ({
  quality,
  nb_left_out,
  is_newest,
}: Pick<Quality, 'nb_left_out' | 'is_newest'> & {
  quality: NonNullable<Quality['quality']>
}) => (
  <>
    <p className="text-sm text-ink-3">
      {is_newest
        ? `Sur vos ${formatParticipants(quality.nb_participants)} les plus récents.`
        : `Sur ${formatParticipants(quality.nb_participants)}.`}
      {nb_left_out > 0 &&
        ` ${formatParticipants(nb_left_out)} de versions d’avant ${nb_left_out > 1 ? 'ne comptent pas : leurs' : 'ne compte pas : ses'} réponses ne tiennent plus dans celle-ci.`}
    </p>
    <ol className="flex flex-col divide-y divide-line">
      {quality.questions.map((question) => (
        <li key={question.id} className="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
          <Question question={question} alpha={quality.alpha} />
        </li>
      ))}
    </ol>
  </>
)

const Question = ({ question, alpha }: { question: JudgedQuestion; alpha: number | null }) => {
  const advice = questionAdvice(question, { alpha })
  const { correlation } = question
  return (
    <>
      <h3 className="font-medium wrap-anywhere" dir="auto">
        {question.text}
      </h3>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-ink-2 tabular-nums">
        <div className="flex gap-1.5">
          <dt>Corrélation avec les autres :</dt>
          <dd className="font-medium text-ink">
            {correlation === null ? MISSING : formatNumber(correlation)}
          </dd>
        </div>
        <div className="flex gap-1.5">
          <dt>Décide du résultat pour :</dt>
          <dd className="font-medium text-ink">{probabilityLabel(question.decides)}</dd>
        </div>
      </dl>
      {advice.length === 0 ? (
        <p className="text-ok">Rien à signaler.</p>
      ) : (
        advice.map((sentence) => <p key={sentence}>{sentence}</p>)
      )}
    </>
  )
}
