import type { Insertions, RichResult } from '#domain/run/rich-text.ts'
import { Picture } from '#web/player/content/picture.tsx'
import { RichTextElement } from '#web/player/content/rich-text.tsx'
import { NextSteps } from './next-steps.tsx'
import './tied-results.css'

/** Renders the results that are tied with the first one. They are not shared and do not redirect. */
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
      <Picture image_id={image_id} image_alt={image_alt} />
      <h2 className="q-title" dir="auto">
        {name}
      </h2>
      {description && <RichTextElement text={description} insertions={insertions} />}
      <NextSteps lead={[button_text, button_url]} insertions={insertions} target={target} />
    </section>
  ))
