import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { trimText } from '#domain/common/text.ts'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { findLabel } from '#domain/deliveries/automations.ts'
import { readDryRunSubject } from '#domain/deliveries/dry-run.ts'
import {
  isFeminineLabel,
  KINDS_OF_TOOL,
  type LabelKind,
  labelAction,
  labelNoun,
} from '#domain/deliveries/enrolment-kinds.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { questionText } from '#domain/questionnaire/grids/question-names.ts'
import { isChoice, isSondage } from '#domain/questionnaire/quiz.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { keepFocusInView } from '#web/editor/fields/scrolling.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { focusFirstError } from '#web/session/credentials-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { accountLabelsQuery, automationsQuery } from './automation-queries.ts'
import { DryRun } from './dry-run.tsx'
import { effectOf } from './dry-run-labels.ts'
import { LabelPicker, NamedLabelField, type PickedLabel } from './label-fields.tsx'
import { ExistingParticipants, ListeningRule } from './rule-notes.tsx'

type Kind = 'result' | 'answer' | 'tier'
const KINDS: { value: Kind; label: string }[] = [
  { value: 'result', label: 'le résultat est' },
  { value: 'answer', label: 'la réponse est' },
  { value: 'tier', label: 'la dimension est' },
]
/** Value of the action that gives a tag or a list. */
const NAMED = 'named'
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the chosen item, or the first one if the chosen item no longer exists. */
const selectedItemOf = <T extends { id: string }>(items: readonly T[], id: string): T | undefined =>
  items.find((item) => item.id === id) ?? items[0]
const optionsOf = (items: readonly { id: string; text: string }[]) =>
  items.map(({ id, text }) => ({ value: id, label: text || 'Sans titre' }))

/** Renders the form that adds a rule: the participants, the tool, and the label that they get there. */
export const RuleForm = ({
  draft,
  connected,
  flush,
}: {
  draft: EditorDraft
  connected: readonly ProviderName[]
  flush: () => Promise<void>
}) => {
  const { quiz, results } = draft
  const questions = draft.questions.filter(
    (question) => isChoice(question) && question.answers.length > 0,
  )
  const dimensions =
    draft.quiz_mode === 'score' && !isSondage(quiz)
      ? draft.dimensions.filter(({ tiers }) => tiers.length > 0)
      : []
  const title = useId()
  const queries = useQueryClient()
  const [kind, setKind] = useState<Kind>('result')
  const [selection, setSelection] = useState({
    result: '',
    question: '',
    answer: '',
    dimension: '',
    tier: '',
  })
  const [tool, setTool] = useState<ProviderName>()
  const [actionKind, setActionKind] = useState<LabelKind | typeof NAMED>(NAMED)
  const [label, setLabel] = useState('')
  const [accountLabel, setAccountLabel] = useState<PickedLabel>()
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  /** Tool of the last rule that was added here. */
  const [ruledTool, setRuledTool] = useState<ProviderName>()
  const provider = tool && connected.includes(tool) ? tool : (connected[0] ?? 'convertkit')
  const offered: readonly LabelKind[] = KINDS_OF_TOOL[provider]
  const labelKind = offered.find((kind) => kind === actionKind) ?? null
  const accountLabels = useQuery(accountLabelsQuery(provider, null))
  const subjects = { result: results, answer: questions, tier: dimensions }
  const kinds = KINDS.filter(({ value }) => subjects[value].length > 0)
  const selectedKind = kinds.find(({ value }) => value === kind)?.value ?? kinds[0]?.value
  const result = selectedItemOf(results, selection.result)
  const question = selectedItemOf(questions, selection.question)
  const answer = selectedItemOf(question?.answers ?? [], selection.answer)
  const dimension = selectedItemOf(dimensions, selection.dimension)
  const tier = selectedItemOf(dimension?.tiers ?? [], selection.tier)
  const noun = labelNoun(provider, labelKind)
  const conditions = {
    result: { result_id: result?.id },
    answer: { question_id: question?.id, answer_id: answer?.id },
    tier: { dimension_id: dimension?.id, tier_id: tier?.id },
  }
  const condition = conditions[selectedKind ?? 'result']
  const subject = readDryRunSubject(condition)

  /** Returns the tag or list that was typed, or the reason why it cannot be used. */
  const readNamedLabel = (): { name: string; vendor_id?: string } | string => {
    const name = trimText(label)
    if (name === '') return noun === 'tag' ? 'Indiquez un tag' : 'Indiquez une liste'
    const found = findLabel(name, accountLabels.data?.labels ?? [])
    return found === 'several'
      ? 'Plusieurs listes ont ce nom : choisissez l’une d’elles, avec son numéro.'
      : (found ?? { name })
  }

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    const newLabel = labelKind === null ? readNamedLabel() : accountLabel
    if (newLabel === undefined || typeof newLabel === 'string') {
      setError(
        newLabel ?? `Choisissez ${isFeminineLabel(provider, labelKind) ? 'une' : 'un'} ${noun}`,
      )
      focusFirstError(form)
      return
    }
    setBusy(true)
    setError(undefined)
    try {
      await flush()
      const { name: label_name, vendor_id } = newLabel
      const label_kind = labelKind ?? undefined
      const body = { provider, ...condition, label_name, label_kind, vendor_id }
      const { automation } = await lazyClient.automations.add({ id: quiz.id, body })
      // A name that was typed during the call stays in the field.
      setLabel((typed) => (typed.trim() === trimText(label) ? '' : typed))
      setAccountLabel((current) => (current?.vendor_id === vendor_id ? undefined : current))
      setRuledTool(provider)
      announceToScreenReader(`Règle ajoutée : ${automation.sentence}.`)
      await queries.invalidateQueries(automationsQuery(quiz.id))
      keepFocusInView()
    } catch (failure) {
      const sentence = failureText(failure, 'La règle n’a pas pu être ajoutée. Réessayez.')
      flushSync(() => setError(sentence))
      focusFirstError(form)
    }
    setBusy(false)
  }

  if (selectedKind === undefined)
    return (
      <p className="text-sm text-ink-2">
        {isSondage(quiz)
          ? 'Ajoutez d’abord une question à choix à ce sondage.'
          : 'Ajoutez d’abord un résultat, ou une question à choix, à ce quiz.'}
      </p>
    )
  return (
    <form
      noValidate
      aria-labelledby={title}
      onSubmit={submit}
      className="flex flex-col gap-3 rounded-xl border border-line p-4"
    >
      <h3 id={title} className="text-base font-semibold">
        Ajouter une règle
      </h3>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select label="Quand" value={selectedKind} options={kinds} onChange={setKind} />
        {selectedKind === 'result' && (
          <Select
            label="Résultat"
            value={result?.id ?? ''}
            options={optionsOf(results.map(({ id, name: text }) => ({ id, text })))}
            onChange={(id) => setSelection({ ...selection, result: id })}
          />
        )}
        {selectedKind === 'tier' && (
          <>
            <Select
              label="Dimension"
              value={dimension?.id ?? ''}
              options={optionsOf(dimensions.map(({ id, name: text }) => ({ id, text })))}
              onChange={(id) => setSelection({ ...selection, dimension: id })}
            />
            <Select
              label="Palier"
              value={tier?.id ?? ''}
              options={optionsOf(
                (dimension?.tiers ?? []).map(({ id, title: text }) => ({ id, text })),
              )}
              onChange={(id) => setSelection({ ...selection, tier: id })}
            />
          </>
        )}
        {selectedKind === 'answer' && (
          <>
            <Select
              label="Question"
              value={question?.id ?? ''}
              options={optionsOf(
                questions.map((listed) => ({
                  id: listed.id,
                  text: questionText(draft.questions, listed),
                })),
              )}
              onChange={(id) => setSelection({ ...selection, question: id })}
            />
            <Select
              label="Réponse"
              value={answer?.id ?? ''}
              options={optionsOf((question?.answers ?? []).map(({ id, text }) => ({ id, text })))}
              onChange={(id) => setSelection({ ...selection, answer: id })}
            />
          </>
        )}
        <Select
          label="Outil"
          value={provider}
          options={connected.map((name) => ({ value: name, label: PROVIDER_LABELS[name] }))}
          onChange={(name) => {
            setTool(name)
            setAccountLabel(undefined)
            setError(undefined)
          }}
        />
        <Select<LabelKind | typeof NAMED>
          label="Action"
          value={labelKind ?? NAMED}
          options={[null, ...KINDS_OF_TOOL[provider]].map((kind) => ({
            value: kind ?? NAMED,
            label: capitalize(labelAction(provider, kind)),
          }))}
          onChange={(kind) => {
            setActionKind(kind)
            setAccountLabel(undefined)
            setError(undefined)
          }}
        />
        {labelKind === null ? (
          <NamedLabelField
            provider={provider}
            value={label}
            error={error}
            onChange={(value) => {
              setLabel(value)
              setError(undefined)
            }}
          />
        ) : (
          <div className="sm:col-span-2">
            <LabelPicker
              key={labelKind}
              provider={provider}
              kind={labelKind}
              picked={accountLabel}
              error={error}
              onPick={(label) => {
                setAccountLabel(label)
                setError(undefined)
              }}
            />
          </div>
        )}
      </div>
      {provider === 'systemio' && labelKind === null && <ListeningRule />}
      {subject && (
        <DryRun quizId={quiz.id} subject={subject} effect={effectOf(provider, labelKind)} />
      )}
      <Button type="submit" busy={isBusy} className="min-h-10 self-start">
        Ajouter la règle
      </Button>
      {ruledTool && <ExistingParticipants quizId={quiz.id} provider={ruledTool} />}
    </form>
  )
}
