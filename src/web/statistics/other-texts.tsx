import type { ComponentProps } from 'react'
import type { Figures } from '#contract/figures.ts'
import { OpenTexts } from './open-texts.tsx'

type OtherTextsProps = ComponentProps<typeof OpenTexts> &
  Pick<Figures['questions'][string], 'others'>

/** What was typed beside « Autre… » most often, and the search in all of it. */
export const OtherTexts = ({ others, ...texts }: OtherTextsProps) => (
  <div className="mt-4 border-t border-line pt-4 print:hidden">
    <h4 className="text-xs text-ink-3">Réponses « Autre » les plus fréquentes</h4>
    <ul className="mt-1 flex flex-col divide-y divide-line">
      {others.map(({ text, count }) => (
        <li key={text} className="flex items-baseline justify-between gap-4 py-2">
          <span className="min-w-0 whitespace-pre-line wrap-anywhere" dir="auto">
            {text}
          </span>
          <span className="shrink-0 text-ink-2 tabular-nums">{count} réponse(s)</span>
        </li>
      ))}
    </ul>
    <OpenTexts {...texts} />
  </div>
)
