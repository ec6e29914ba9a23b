import { type ReactNode, useId } from 'react'
import { trimText } from '#domain/common/text.ts'
import { TIE_FIELDS } from '#domain/questionnaire/fields/quiz-fields.ts'
import { type Draft, isChoice, type QuizTies } from '#domain/questionnaire/quiz.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'
import { probabilityLabel, tieRateName } from '#web/odds/odds-labels.ts'
import { ODDS_FAILURE } from '#web/odds/odds-lines.tsx'
import type { OddsState } from '#web/odds/use-odds.ts'
import { RadioGroup } from '#web/ui/form/choice-controls.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'

const RULES: { value: QuizTies['tie_rule']; label: string; hint?: string }[] = [
  { value: 'priority', label: 'Donner le plus haut de la liste' },
  {
    value: 'question',
    label: 'Laisser une question départager',
    hint: 'Le résultat associé à sa réponse l’emporte ; si elle n’en désigne aucun, c’est le plus haut de la liste.',
  },
  {
    value: 'both',
    label: 'Montrer tous les résultats à égalité',
    hint: 'Le plus haut de la liste vient d’abord : c’est lui qui est enregistré, envoyé et partagé.',
  },
]
const NONE = ''

/** Edits what a quiz in profile mode shows for tied results. */
export const TieRules = ({
  draft,
  change,
  rate,
}: {
  draft: Draft
  change: (fields: Partial<QuizTies>) => void
  /** Rate of ties, shown next to the heading. */
  rate?: ReactNode
}) => {
  const heading_id = useId()
  const { tie_rule, tie_question_id } = draft.quiz
  const numbers = numbersOf(draft)
  const questions = draft.questions.filter(isChoice).map(({ id, text }) => ({
    value: id,
    label: `Question ${numbers.get(id)}${trimText(text) && ` – ${trimText(text)}`}`,
  }))
  return (
    <section
      aria-labelledby={heading_id}
      className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <div className="flex items-center justify-between gap-2">
          <h2 id={heading_id} className="text-base font-semibold">
            {TIE_FIELDS.tie_rule.label}
          </h2>
          <HelpLink about="égalités" page="score-ou-profils#en-cas-d-egalite" />
        </div>
        {rate}
      </div>
      <RadioGroup
        id={pageFieldId('tie_rule')}
        legend={TIE_FIELDS.tie_rule.label}
        value={tie_rule}
        options={RULES}
        onChange={(rule) => change({ tie_rule: rule })}
      />
      {tie_rule === 'question' && (
        <div className="max-w-120 pl-6">
          <Select
            id={pageFieldId('tie_question_id')}
            label={TIE_FIELDS.tie_question_id.label}
            value={tie_question_id ?? NONE}
            {...(tie_question_id === null && {
              hint: 'Choisissez-la avant de publier.',
            })}
            options={[
              ...(tie_question_id === null
                ? [{ value: NONE, label: 'Choisissez une question' }]
                : []),
              ...questions,
            ]}
            onChange={(id) => change({ tie_question_id: id || null })}
          />
        </div>
      )}
    </section>
  )
}

/** Shows how often several results are tied, next to the tie rule. */
export const TieRate = ({
  tie_rule,
  odds: { report, isBusy, hasFailed },
}: Pick<QuizTies, 'tie_rule'> & { odds: OddsState }) => {
  return (
    <p role="status" aria-busy={isBusy} className="text-sm text-ink-2">
      {hasFailed && `${ODDS_FAILURE}.`}
      {report && !hasFailed && (
        <>
          {tieRateName(tie_rule)} :{' '}
          <span className="font-medium text-ink tabular-nums">
            {probabilityLabel(report.odds.tie_probability)}
          </span>
        </>
      )}
    </p>
  )
}
