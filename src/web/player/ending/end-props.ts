import type { ComponentProps, ReactNode } from 'react'
import type { DocumentLinks } from '#domain/reports/document.ts'
import type { Insertions, RichSnapshot } from '#domain/run/rich-text.ts'
import type { OpeningPlace } from '#web/player/run/open-address.ts'
import type { Refusal } from '#web/player/run/player-api.ts'
import type { Run } from '#web/player/run/run.ts'

/** Props of a link that a script may handle. */
export type LinkProps = Pick<ComponentProps<'a'>, 'href' | 'onClick'>

/** Links of the end of a published quiz; absent in a preview, whose links open a new tab. */
export type EndLinks = {
  /**
   * Target of links in a frame of another site: the whole window, or a tab where no script can open a tab instead.
   * Undefined outside a frame.
   */
  target: OpeningPlace | undefined
  /** The address of the quiz. */
  quiz_path: string
  /** Props of the link that starts a new run. */
  restart: LinkProps
  /** Sends the answers again, as the form of the page without scripts. Absent where no script runs. */
  resend?: () => void
  /** Props of the link that cancels the redirect; undefined unless a redirect is scheduled. */
  stay: LinkProps | undefined
  /** The documents of the participant; undefined until the answers are stored, and without any. */
  documents?: DocumentLinks | undefined
}

/** Props of the end of a run and of its parts. */
export type EndProps = {
  snapshot: RichSnapshot
  run: Run
  insertions: Insertions | null
  /** The reason why the answers are not transmitted. */
  refusal?: Refusal | undefined
  links?: EndLinks | undefined
  /** Returns the content below the end. */
  renderAfterEnd?: ((run: Run) => ReactNode) | undefined
}
