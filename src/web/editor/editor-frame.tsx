import { type ReactNode, useState } from 'react'
import type { PublishError } from '#domain/publish-check.ts'
import type { Quiz } from '#domain/quiz.ts'
import type { SaveState } from './autosave.ts'
import { EditorHeader } from './editor-header.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { publishButton } from './publishing.ts'
import { ShareDialog } from './share-dialog.tsx'
import { STEP_TITLES, StepBar } from './step-bar.tsx'
import type { Step } from './steps.ts'
import type { Publishing } from './use-publishing.ts'

/**
 * What the three steps have in common: header, step bar, publish and share dialogs (spec §2). The
 * counts are those on screen. `flush` stores pending edits; publishing calls it first.
 */
export const EditorFrame = ({
  quiz,
  step,
  result_count,
  question_count,
  saveState,
  publishErrors,
  publishing,
  flush,
  children,
}: {
  quiz: Quiz
  step: Step
  result_count: number
  question_count: number
  saveState: SaveState
  publishErrors: readonly PublishError[]
  publishing: Publishing
  flush: () => Promise<void>
  children: ReactNode
}) => {
  const [dialog, setDialog] = useState<'publish' | 'share' | null>(null)
  const { hasChanges } = publishing
  const close = (): void => {
    publishing.forgetFailure()
    setDialog(null)
  }

  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 p-4 sm:p-6">
      <title>{`${STEP_TITLES[step]} – ${quiz.name}`}</title>
      <h1 className="sr-only">{`${STEP_TITLES[step]} – ${quiz.name}`}</h1>
      <EditorHeader
        quiz={quiz}
        saveState={saveState}
        publishButton={publishButton({ quiz, hasChanges, errors: publishErrors })}
        onPublish={() => setDialog('publish')}
        onShare={() => setDialog('share')}
      />
      <StepBar
        quiz={quiz}
        current={step}
        result_count={result_count}
        question_count={question_count}
      />
      {children}
      <PublishDialog
        quiz={quiz}
        errors={publishErrors}
        publishing={publishing}
        flush={flush}
        open={dialog === 'publish'}
        onClose={close}
      />
      <ShareDialog quizId={quiz.id} open={dialog === 'share'} onClose={close} />
    </div>
  )
}
