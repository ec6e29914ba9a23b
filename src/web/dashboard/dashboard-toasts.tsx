import { useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Quiz } from '#domain/quiz.ts'
import { isTyping } from '#web/ui/single-keys.ts'
import { type Toast, Toasts } from '#web/ui/toasts.tsx'
import { focusQuiz } from './quiz-grid.tsx'
import type { Removals } from './use-removals.ts'

type Props = Pick<Removals, 'waiting' | 'undo'> & { notices: readonly Toast[] }

/** Notices, and pending deletions that can be undone: each with its button, the last one also with Ctrl or ⌘ Z. */
export const DashboardToasts = ({ waiting, undo, notices }: Props) => {
  const takeBack = (quiz: Quiz): void => {
    flushSync(() => undo(quiz.id))
    focusQuiz(quiz)
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const last = waiting.at(-1)
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    if (!last || !isUndo || event.key.toLowerCase() !== 'z' || isTyping(event.target)) return
    event.preventDefault()
    takeBack(last)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <Toasts
      toasts={[
        ...notices,
        ...waiting.map((quiz) => ({
          key: quiz.id,
          text: `« ${quiz.name} » a été supprimé`,
          action: 'Annuler',
          act: () => takeBack(quiz),
        })),
      ]}
    />
  )
}
