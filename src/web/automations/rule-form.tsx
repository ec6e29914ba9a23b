import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { trimText } from '#domain/common/text.ts'
import { LIMITS, type ProviderName } from '#domain/common/vocabulary.ts'
import { findLabel, formatLabel } from '#domain/deliveries/automations.ts'
import { readDryRunSubject } from '#domain/deliveries/dry-run.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { labelNoun } from '#domain/deliveries/label-kinds.ts'
import { isChoice, isSondage } from '#domain/questionnaire/quiz.ts'
import { settingsPath } from '#domain/questionnaire/settings-path.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { earlierQuery } from '#web/integrations/integration-queries.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { focusFirstError } from '#web/session/credentials-form.tsx'
import { formatParticipants } from '#web/statistics/format/format.ts'
import { Button } from '#web/ui/button.tsx'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { accountLabelsQuery, automationsQuery } from './automation-queries.ts'
import { DryRun } from './dry-run.tsx'
import { effectOf } from './dry-run-labels.ts'

type Kind = 'result' | 'answer'
const KINDS: { value: Kind; label: string }[] = [
  { value: 'result', label: 'le résultat est' },
  { value: 'answer', label: 'la réponse est' },
]
/** Returns the chosen item, or the first one if the chosen item no longer exists. */
const selectedItemOf = <T extends { id: string }>(items: readonly T[], id: string): T | undefined =>
  items.find((item) => item.id === id) ?? items[0]
const optionsOf = (items: readonly { id: string; text: string }[]) =>
  items.map(({ id, text }) => ({ value: id, label: text || 'Sans titre' }))

/**
 * Renders the form that adds a rule: the participants, the tool, and the tag or list. Tags and lists of the account are
 * suggested, and other names can be typed.
 */
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
  const title = useId()
  const queries = useQueryClient()
  const [kind, setKind] = useState<Kind>('result')
  const [chosen, setChosen] = useState({ result: '', question: '', answer: '' })
  const [tool, setTool] = useState<ProviderName>()
  const [label, setLabel] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  /** Tool of the last rule that was added here. */
  const [ruledTool, setRuledTool] = useState<ProviderName>()
  const provider = tool && connected.includes(tool) ? tool : (connected[0] ?? 'convertkit')
  const labels = useQuery(accountLabelsQuery(provider))
  const accountLabels = labels.data?.labels ?? []
  const kinds = KINDS.filter(({ value }) => (value === 'result' ? results : questions).length > 0)
  const selectedKind = kinds.find(({ value }) => value === kind)?.value ?? kinds[0]?.value
  const result = selectedItemOf(results, chosen.result)
  const question = selectedItemOf(questions, chosen.question)
  const answer = selectedItemOf(question?.answers ?? [], chosen.answer)
  const noun = labelNoun(provider)
  const condition =
    selectedKind === 'result'
      ? { result_id: result?.id }
      : { question_id: question?.id, answer_id: answer?.id }
  const subject = readDryRunSubject(condition)

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    const form = event.currentTarget
    const label_name = trimText(label)
    if (label_name === '') {
      setError(noun === 'tag' ? 'Indiquez un tag' : 'Indiquez une liste')
      focusFirstError(form)
      return
    }
    const foundLabel = findLabel(label_name, accountLabels)
    if (foundLabel === 'several') {
      setError('Plusieurs listes ont ce nom : choisissez l’une d’elles, avec son numéro.')
      focusFirstError(form)
      return
    }
    setBusy(true)
    setError(undefined)
    try {
      await flush()
      const labelFields = {
        label_name: foundLabel?.name ?? label_name,
        vendor_id: foundLabel?.vendor_id,
      }
      const body = { provider, ...condition, ...labelFields }
      const { automation } = await lazyClient.automations.add({ id: quiz.id, body })
      // A name that was typed during the call stays in the field.
      setLabel((typed) => (typed.trim() === label_name ? '' : typed))
      setRuledTool(provider)
      announceToScreenReader(`Règle ajoutée : ${automation.sentence}.`)
      await queries.invalidateQueries(automationsQuery(quiz.id))
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
        {selectedKind === 'result' ? (
          <Select
            label="Résultat"
            value={result?.id ?? ''}
            options={optionsOf(results.map(({ id, name: text }) => ({ id, text })))}
            onChange={(id) => setChosen({ ...chosen, result: id })}
          />
        ) : (
          <>
            <Select
              label="Question"
              value={question?.id ?? ''}
              options={optionsOf(questions.map(({ id, text }) => ({ id, text })))}
              onChange={(id) => setChosen({ ...chosen, question: id })}
            />
            <Select
              label="Réponse"
              value={answer?.id ?? ''}
              options={optionsOf((question?.answers ?? []).map(({ id, text }) => ({ id, text })))}
              onChange={(id) => setChosen({ ...chosen, answer: id })}
            />
          </>
        )}
        <Select
          label="Outil"
          value={provider}
          options={connected.map((name) => ({ value: name, label: PROVIDER_LABELS[name] }))}
          onChange={(name) => {
            setTool(name)
            setError(undefined)
          }}
        />
        <div>
          <TextField
            label={noun === 'tag' ? 'Tag' : 'Liste'}
            list={`${title}-labels`}
            value={label}
            {...(error && { error })}
            hint={hintOf(provider, { isPending: labels.isPending, failure: labels.error })}
            maxLength={LIMITS.label_name}
            autoComplete="off"
            onChange={(event) => {
              setLabel(event.currentTarget.value)
              setError(undefined)
            }}
          />
          <datalist id={`${title}-labels`}>
            {accountLabels.map((accountLabel) => (
              <option
                key={accountLabel.vendor_id}
                value={formatLabel(accountLabel, accountLabels)}
              />
            ))}
          </datalist>
        </div>
      </div>
      {subject && <DryRun quizId={quiz.id} subject={subject} effect={effectOf(provider)} />}
      <Button type="submit" busy={isBusy} className="min-h-10 self-start">
        Ajouter la règle
      </Button>
      {ruledTool && <ExistingParticipants quizId={quiz.id} provider={ruledTool} />}
    </form>
  )
}

/** Renders a link to the sending of participants from before the tool was switched on, to whom new rules apply too. */
const ExistingParticipants = ({ quizId, provider }: { quizId: string; provider: ProviderName }) => {
  const { data } = useQuery(earlierQuery(quizId))
  const count = data?.providers.find((one) => one.provider === provider)?.nb_participants ?? 0
  return (
    <p role="status" className="text-sm empty:hidden">
      {count > 0 && (
        <>
          {`${formatParticipants(count)} ${count > 1 ? 'n’ont' : 'n’a'} pas encore été ${count > 1 ? 'envoyés' : 'envoyé'} à ${PROVIDER_LABELS[provider]}. La règle vaudra aussi pour ${count > 1 ? 'eux' : 'lui'}. `}
          <Link
            to={settingsPath(quizId, 'integrations')}
            className="text-brand underline underline-offset-2"
          >
            {count > 1 ? 'Envoyer les participants existants' : 'Envoyer le participant existant'}
          </Link>
        </>
      )}
    </p>
  )
}

const hintOf = (
  provider: ProviderName,
  { isPending, failure }: { isPending: boolean; failure: unknown },
): string => {
  const tool = PROVIDER_LABELS[provider]
  const isTag = labelNoun(provider) === 'tag'
  const own = isTag ? 'Vos tags' : 'Vos listes'
  if (isPending) return `${own} de ${tool} arrivent…`
  if (failure)
    return `${own} n’ont pas pu être ${isTag ? 'lus' : 'lues'} : ${failureText(failure, `${tool} ne répond pas.`)} Écrivez le nom.`
  return isTag
    ? 'Un de vos tags, ou un nouveau nom : il est créé s’il n’existe pas.'
    : 'Une de vos listes, ou un nouveau nom : elle est créée si elle n’existe pas.'
}
