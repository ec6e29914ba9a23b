import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { TOAST_MS, type Toast, Toasts } from '#web/ui/feedback/toasts.tsx'
import { isTyping } from '#web/ui/keyboard-shortcuts.ts'
import { focusQuiz } from './quizzes/quiz-grid.tsx'
import type { Removals } from './quizzes/use-quizzes.ts'

type Notice = { key: string; text: string }

/** Shows short messages, each for a few seconds. */
export const useNotices = (): { notices: readonly Notice[]; notify: (text: string) => void } => {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running) clearTimeout(timer)
    }
  }, [])

  const notify = (text: string): void => {
    const notice = { key: `notice ${performance.now()}`, text }
    setNotices((shown) => [...shown, notice])
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      setNotices((shown) => shown.filter((shown_notice) => shown_notice !== notice))
    }, TOAST_MS)
    timers.current.add(timer)
  }
  return { notices, notify }
}

type Props = Pick<Removals, 'waiting' | 'undo'> & { notices: readonly Toast[] }

/** Renders notices, and pending deletions with an undo button. Ctrl or ⌘ Z undoes the last deletion. */
export const DashboardToasts = ({ waiting, undo, notices }: Props) => {
  const undoRemoval = (quiz: Quiz): void => {
    flushSync(() => undo(quiz.id))
    focusQuiz(quiz)
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const last = waiting.at(-1)
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
    if (!last || !isUndo || event.key.toLowerCase() !== 'z' || isTyping(event.target)) return
    event.preventDefault()
    undoRemoval(last)
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
          text: `« ${quiz.name} » est dans la corbeille pour 30 jours`,
          action: 'Annuler',
          act: () => undoRemoval(quiz),
        })),
      ]}
    />
  )
}
