import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { RefusedCall } from '#contract/client/client.ts'
import { readFieldMessage } from '#contract/kit/field-message.ts'
import type { QuizAccess } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import type { DraftSession } from './draft-session.ts'

/** What was typed in a field of « Accès » as it would be stored, or why it is not. */
export type ParsedInput<Value> = { value: Value } | { error: string }

/** Typed this long ago, a value is asked about. */
const PAUSE_MS = 500

/** A refusal without the name of the field that it is shown at. */
const refusalOf = (error: Error | null): string | undefined => {
  if (!error) return undefined
  return error instanceof RefusedCall
    ? readFieldMessage(error.message).reason
    : 'Non enregistré : le serveur n’a pas pu être joint.'
}

/** A value once it has not changed for a moment; null until then. */
const useSettled = <Value>(value: Value | null, pause_ms: number): Value | null => {
  const [settled, setSettled] = useState<Value | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause_ms)
    return () => clearTimeout(timer)
  }, [value, pause_ms])
  return settled
}

/** Names in another order are another value, which is written again. */
const isSame = (a: QuizAccess[keyof QuizAccess], b: QuizAccess[keyof QuizAccess]): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/**
 * One field of « Accès », which applies at once: stored as it is left or Enter is pressed, with its own state. What
 * is refused stays typed, with the reason; nothing is sent of what cannot be stored.
 */
export const useAccessField = <Name extends keyof QuizAccess>(
  session: DraftSession,
  name: Name,
  {
    show,
    parse,
    check,
  }: {
    show: (value: QuizAccess[Name]) => string
    parse: (typed: string) => ParsedInput<QuizAccess[Name]>
    /** Asks the server about a value as it is typed; rejects with its refusal. */
    check?: (value: NonNullable<QuizAccess[Name]>) => Promise<unknown>
  },
) => {
  const queryClient = useQueryClient()
  const { quiz } = session.view().draft
  const drafted = quiz[name]
  // What the server took instead of what the draft has, which may come to know of it later, or not at all.
  const [taken, setTaken] = useState<{ value: QuizAccess[Name]; over: QuizAccess[Name] }>()
  if (taken && !isSame(taken.over, drafted)) setTaken(undefined)
  const current = taken ? taken.value : drafted
  const stored = show(current)
  const isOf = (text: string, value: QuizAccess[Name]): boolean => {
    const read = parse(text)
    return 'value' in read && isSame(read.value, value)
  }
  // Undefined while the field shows what is stored.
  const [typed, setTyped] = useState<string>()
  const [isSaved, setSaved] = useState(false)
  const { mutate, error, isPending, reset } = useMutation({
    scope: { id: `access ${quiz.id}` },
    mutationFn: async (value: QuizAccess[Name]) => {
      await client.quizzes.update({ id: quiz.id, body: { [name]: value } })
      await session.refresh().catch((error: unknown) => console.warn('Refreshing failed', error))
    },
    onSuccess: (_, value) => {
      setTaken({ value, over: session.view().draft.quiz[name] })
      // What was typed on meanwhile stays.
      setTyped((text) => (text === undefined || isOf(text, value) ? undefined : text))
      setSaved(true)
      void queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true })
    },
  })
  const shown = typed ?? stored
  const parsed = parse(shown)
  const refusal = typed !== undefined && 'error' in parsed ? parsed.error : undefined
  const asked =
    typed !== undefined && 'value' in parsed && !isSame(parsed.value, current) ? parsed.value : null
  const settled = useSettled(asked, PAUSE_MS)
  const checking = useQuery({
    enabled: check !== undefined && settled !== null && settled === asked,
    queryKey: ['quizzes', quiz.id, 'access', name, settled],
    queryFn: async () => {
      if (settled !== null) await check?.(settled)
      return true
    },
    staleTime: 0,
    retry: false,
  })
  const objection =
    settled === asked && checking.error instanceof RefusedCall ? checking.error : null
  const store = (value: QuizAccess[Name]): void => {
    if (isSame(value, current)) setTyped(undefined)
    else mutate(value)
  }
  const saved = isSaved ? 'Enregistré' : ''
  return {
    value: shown,
    error: refusal ?? refusalOf(error ?? objection),
    state: isPending ? 'Enregistrement…' : saved,
    type: (text: string): void => {
      setTyped(text)
      setSaved(false)
      reset()
    },
    save: (): void => {
      if (typed !== undefined && 'value' in parsed) store(parsed.value)
    },
    /** Stores a value that was chosen beside the field. */
    store,
  }
}
