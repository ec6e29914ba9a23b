import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { QuizOpening } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from './draft-session.ts'
import { draftSessions } from './draft-session-registry.ts'
import { AUTOSAVE_KINDS, useDraft } from './use-draft.ts'

/** Parsed value of a typed text, or the reason why the text is invalid. */
export type ParsedInput<Value> = { value: Value } | { error: string }

/** Reason against storing a value: a message, or 'refused' by the creator; null allows it. */
export type Objection = { error: string } | 'refused' | null

/**
 * Returns the state and the actions of a field that applies at once. Most values are saved as they are typed, like other
 * edits of the draft. Other values are saved when the creator leaves the field or the screen, after `ask`.
 */
export const useOpeningField = <Name extends keyof QuizOpening>(
  session: DraftSession,
  name: Name,
  {
    show,
    parse,
    needsQuestion = () => false,
    ask = async () => null,
  }: {
    show: (value: QuizOpening[Name]) => string
    parse: (typed: string) => ParsedInput<QuizOpening[Name]>
    /** Returns true for values that are not saved before `ask` has been answered. */
    needsQuestion?: (value: QuizOpening[Name]) => boolean
    /** Resolves to null if the value may be stored, and rejects never. */
    ask?: (value: QuizOpening[Name]) => Promise<Objection>
  },
) => {
  const { quiz } = useDraft(session).draft
  const stored = quiz[name]
  // Text that was typed while the draft had this value; an undo or another author changes the value.
  const [typed, setTyped] = useState<{ text: string; base: QuizOpening[Name]; refusal?: string }>()
  const edited = typed?.base === stored ? typed : undefined
  /** Edit whose question was asked. A hidden screen keeps an old edit until it is removed, and must not ask again. */
  const confirmed = useRef<typeof edited>(undefined)
  const text = edited?.text ?? show(stored)
  const parsed = parse(text)
  const isPending = edited !== undefined && 'value' in parsed && parsed.value !== stored

  const store = (value: QuizOpening[Name]): void =>
    session.change((draft) => ({ ...draft, quiz: { ...draft.quiz, [name]: value } }), {
      undoGroupKey: name,
      ...AUTOSAVE_KINDS.opening,
    })
  const leave = async (): Promise<void> => {
    if (!edited || 'error' in parsed || confirmed.current === edited) return
    const { value } = parsed
    if (isPending) {
      confirmed.current = edited
      const objection = await ask(value)
      // The creator may have signed out meanwhile.
      if (draftSessions.find(quiz.id) !== session) return
      if (objection && objection !== 'refused') {
        setTyped({ ...edited, refusal: objection.error })
        return
      }
      if (!objection) store(value)
    }
    setTyped((current) => (current?.text === edited.text ? undefined : current))
  }
  const leaveScreen = useEffectEvent(async (): Promise<void> => {
    await leave()
    session.saveSoon()
  })
  useEffect(() => () => void leaveScreen(), [])
  // The question cannot be asked while the page closes, so that the browser asks before the value is lost.
  useEffect(() => {
    if (!isPending) return
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isPending])

  return {
    text,
    stored,
    /** Typed value that is saved only after a question; undefined if there is none. */
    pending: isPending && 'value' in parsed ? parsed.value : undefined,
    error: 'error' in parsed ? parsed.error : edited?.refusal,
    type: (next: string): void => {
      const read = parse(next)
      const isStored = 'value' in read && !needsQuestion(read.value)
      setTyped({ text: next, base: isStored ? read.value : stored })
      if (isStored && read.value !== stored) store(read.value)
    },
    leave,
    clear: (value: QuizOpening[Name]): void => {
      setTyped(undefined)
      store(value)
    },
  }
}
