import type { ReactNode } from 'react'

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
