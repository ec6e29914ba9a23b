import type { ReactNode } from 'react'
import type { QuizStatus } from '#domain/common/vocabulary.ts'
import { isClosed } from '#domain/questionnaire/access.ts'
import { isPublished, type Quiz } from '#domain/questionnaire/quiz.ts'

type Tone = 'ok' | 'warn' | 'neutral' | 'info'

const TONES: Record<Tone, string> = {
  ok: 'bg-ok-wash text-ok',
  warn: 'bg-warn-wash text-warn',
  neutral: 'bg-press text-ink-2',
  info: 'bg-brand-wash text-brand',
}

/** Renders a word with a coloured dot, so that the meaning never depends on the colour alone. */
export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span
    className={`inline-flex shrink-0 items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-medium ${TONES[tone]}`}
  >
    <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
    <span dir="auto">{children}</span>
  </span>
)

/** Renders 'Publié' or 'Brouillon' (spec §3). */
export const StatusBadge = ({ status }: { status: QuizStatus }) => (
  <Badge tone={isPublished({ status }) ? 'ok' : 'neutral'}>{status}</Badge>
)

/** Renders 'Clos' next to the status of a published quiz that accepts no new visitors. */
export const ClosedBadge = ({ quiz }: { quiz: Quiz }) =>
  isPublished(quiz) && isClosed(quiz, Date.now()) && <Badge tone="warn">Clos</Badge>
