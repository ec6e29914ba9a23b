/** @jsxImportSource #web/player */
import type { Insertions, RichResult } from '#domain/run/rich-text.ts'
import { PictureSlot } from '#web/player/content/picture-slot.tsx'
import { CreatorText } from '#web/player/content/texts.tsx'
import { NextSteps } from './next-steps.tsx'
import './tied-results.css'

/** Renders the results that are tied with the first one. Tied results are not shared and do not redirect. */
export const TiedResults = ({
  results,
  insertions,
  target,
}: {
  results: readonly RichResult[]
  insertions: Insertions | null
  target: string | undefined
}) =>
  results.map(({ id, name, description, image_id, image_alt, button_text, button_url }) => (
    <section key={id} className="q-equal">
      <p>Ex æquo</p>
      <PictureSlot image_id={image_id} image_alt={image_alt} />
      <h2 className="q-title" dir="auto">
        {name}
      </h2>
      {description && <CreatorText text={description} insertions={insertions} />}
      <NextSteps lead={[button_text, button_url]} insertions={insertions} target={target} />
    </section>
  ))
