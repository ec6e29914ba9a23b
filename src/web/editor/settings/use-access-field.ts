import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { RefusedCall } from '#contract/client.ts'
import type { QuizAccess } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'

/** What was typed in a field of « Accès » as it would be stored, or why it is not. */
export type Parsed<Value> = { value: Value } | { error: string }

/** A refusal without the name of the field that it is shown at. */
const sentenceOf = (error: unknown): string =>
  error instanceof RefusedCall
    ? error.message.replace(/^Champ « \w+ » : /, '')
    : 'Non enregistré : le serveur n’a pas pu être joint.'

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
  }: {
    show: (value: QuizAccess[Name]) => string
    parse: (typed: string) => Parsed<QuizAccess[Name]>
  },
) => {
  const queryClient = useQueryClient()
  const { quiz } = session.view().draft
  const stored = show(quiz[name])
  // Undefined while the field shows what is stored.
  const [typed, setTyped] = useState<string>()
  const [isSaved, setSaved] = useState(false)
  const { mutate, error, isPending, reset } = useMutation({
    scope: { id: `access ${quiz.id}` },
    mutationFn: async (value: QuizAccess[Name]) => {
      await client.quizzes.update({ id: quiz.id, body: { [name]: value } })
      await session.refresh()
    },
    onSuccess: () => {
      setTyped(undefined)
      setSaved(true)
      void queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true })
    },
  })
  const shown = typed ?? stored
  const parsed = parse(shown)
  const refusal = typed !== undefined && 'error' in parsed ? parsed.error : undefined
  const store = (value: QuizAccess[Name]): void => {
    if (value === quiz[name]) setTyped(undefined)
    else mutate(value)
  }
  const saved = isSaved ? 'Enregistré' : ''
  return {
    value: shown,
    error: refusal ?? (error ? sentenceOf(error) : undefined),
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
