import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { ConfirmationSection } from './confirmation-section.tsx'
import { MeasureSection } from './measure-section.tsx'

/** Renders what a creator can ask in addition to the consent to forwarding, in one lazily loaded chunk. */
const ConsentOptions = (props: { session: DraftSession; draft: Draft }) => (
  <>
    <MeasureSection {...props} />
    <ConfirmationSection {...props} />
  </>
)

export default ConsentOptions
