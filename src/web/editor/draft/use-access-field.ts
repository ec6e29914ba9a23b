import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import { readFieldMessage } from '#contract/kit/field-message.ts'
import { CHANGED_ELSEWHERE } from '#contract/kit/replaced-fields.ts'
import type { QuizAccess } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import type { DraftSession } from './draft-session.ts'
import type { ParsedInput } from './use-opening-field.ts'

const isChangedElsewhere = (error: Error): boolean =>
  error instanceof RefusedCall && error.code === CHANGED_ELSEWHERE

/**
 * Returns the reason of a rejected save without the field name; undefined without an error. `stored` is the text of the
 * stored value, which a typed text hides.
 */
const refusalOf = (error: Error | null, stored: string): string | undefined => {
  if (!error) return undefined
  if (isChangedElsewhere(error) && stored)
    return `Changé ailleurs entre-temps : « ${stored} ». Enregistrez à nouveau pour remplacer cette valeur.`
  return error instanceof RefusedCall
    ? readFieldMessage(error.message).reason
    : 'Non enregistré : le serveur n’a pas pu être joint.'
}

/** Returns true if two values are equal, including the order of names. */
const isSame = (a: QuizAccess[keyof QuizAccess], b: QuizAccess[keyof QuizAccess]): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/**
 * Returns the state and the actions of a field that is not part of the draft. A call of `save` stores the typed value,
 * which applies at once. Invalid or rejected text stays in the field with the reason.
 */
export const useAccessField = <Name extends keyof QuizAccess>(
  session: DraftSession,
  name: Name,
  {
    show,
    parse,
  }: {
    show: (value: QuizAccess[Name]) => string
    parse: (typed: string) => ParsedInput<QuizAccess[Name]>
  },
) => {
  const queryClient = useQueryClient()
  const { quiz } = session.view().draft
  const drafted = quiz[name]
  // Value that the server stored over the draft's value, until the draft shows the stored value.
  const [storedOverride, setStoredOverride] = useState<{
    value: QuizAccess[Name]
    base: QuizAccess[Name]
  }>()
  if (storedOverride && !isSame(storedOverride.base, drafted)) setStoredOverride(undefined)
  const current = storedOverride ? storedOverride.value : drafted
  const stored = show(current)
  const isTextOf = (text: string, value: QuizAccess[Name]): boolean => {
    const read = parse(text)
    return 'value' in read && isSame(read.value, value)
  }
  // Typed text; undefined while the field shows the stored value.
  const [typed, setTyped] = useState<string>()
  const [isSaved, setSaved] = useState(false)
  const refresh = () =>
    session.refresh().catch((error: unknown) => console.warn('Refreshing failed', error))
  const { mutate, error, isPending, variables, reset } = useMutation({
    scope: { id: `access ${quiz.id}` },
    mutationFn: async ({ value, seen }: { value: QuizAccess[Name]; seen: QuizAccess[Name] }) => {
      await client.quizzes.update({
        id: quiz.id,
        body: { [name]: value, replaces: { [name]: seen } },
      })
      await refresh()
    },
    // Loads the value of the other tab, so that the refusal can name it. Typed text stays in the field.
    onError: (error) => (isChangedElsewhere(error) ? refresh() : undefined),
    onSuccess: (_, { value }) => {
      setStoredOverride({ value, base: session.view().draft.quiz[name] })
      // Text typed during the save stays.
      setTyped((text) => (text === undefined || isTextOf(text, value) ? undefined : text))
      setSaved(true)
      void queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true })
    },
  })
  const shown = typed ?? stored
  const parsed = parse(shown)
  const refusal = typed !== undefined && 'error' in parsed ? parsed.error : undefined
  const chosen = isPending && variables !== undefined ? variables.value : current
  const store = (value: QuizAccess[Name]): void => {
    if (isSame(value, current)) setTyped(undefined)
    else mutate({ value, seen: chosen })
  }
  const saved = isSaved ? 'Enregistré' : ''
  return {
    value: shown,
    error: refusal ?? refusalOf(error, stored),
    state: isPending ? 'Enregistrement…' : saved,
    /** Value that is stored or being stored. */
    chosen,
    /** Stores a value that needs no typing, for example of a switch. */
    choose: (value: QuizAccess[Name]): void => {
      setSaved(false)
      store(value)
    },
    type: (text: string): void => {
      setTyped(text)
      setSaved(false)
      reset()
    },
    save: (): void => {
      if (typed !== undefined && 'value' in parsed) store(parsed.value)
    },
  }
}
