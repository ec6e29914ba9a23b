import { useId, useState } from 'react'
import { isBlankText } from '#domain/common/text.ts'
import type { QuizType } from '#domain/common/vocabulary.ts'
import {
  assistantInstruction,
  MAX_BRIEF_LENGTH,
} from '#domain/text-format/assistant/assistant-brief.ts'
import { RadioGroup } from '#web/ui/form/choice-controls.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { CopyText } from './copy-text.tsx'
import { QUIZ_KINDS } from './quiz-kinds.ts'

/** Typed brief, kept while the page stays open, so that closing the dialog does not lose the brief. */
let saved: { brief: string; type: QuizType } = { brief: '', type: 'quiz' }

const KINDS = QUIZ_KINDS.map(({ type, label }) => ({ value: type, label }))

/** Renders the brief of a creator, and a button that copies it with the text format for their own assistant. */
export const AssistantBrief = () => {
  const id = useId()
  const [{ brief, type }, setTyped] = useState(saved)
  const [isMissing, setMissing] = useState(false)
  const update = (more: Partial<typeof saved>): void => {
    saved = { brief, type, ...more }
    setTyped(saved)
    setMissing(false)
  }
  const read = (): string | undefined => {
    if (!isBlankText(brief)) return assistantInstruction({ brief, type })
    setMissing(true)
    document.getElementById(`${id}-brief`)?.focus()
    return undefined
  }
  return (
    <details className="rounded-xl bg-card shadow-card">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 rounded-xl px-4 font-medium">
        Faire écrire le texte par votre assistant
      </summary>
      <div className="flex flex-col gap-3 px-4 pb-4">
        <p className="text-ink-2">
          Décrivez votre besoin et copiez la consigne dans l’assistant de votre choix. Collez
          ensuite sa réponse dans « Texte du questionnaire ».
        </p>
        <RadioGroup
          id={`${id}-kind`}
          legend="Genre de questionnaire"
          value={type}
          options={KINDS}
          onChange={(chosen) => update({ type: chosen })}
        />
        <TextField
          multiline
          id={`${id}-brief`}
          label="Votre besoin"
          hint="Le sujet, le public, le nombre de questions, le ton, les résultats attendus."
          error={isMissing ? 'Décrivez d’abord votre besoin.' : undefined}
          maxLength={MAX_BRIEF_LENGTH}
          rows={3}
          value={brief}
          onChange={({ currentTarget }) => update({ brief: currentTarget.value })}
        />
        <CopyText
          label="Copier la consigne pour un assistant"
          announcement="Consigne copiée : collez-la dans votre assistant."
          read={read}
        />
      </div>
    </details>
  )
}
