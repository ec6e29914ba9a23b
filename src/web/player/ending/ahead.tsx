import type { ComponentProps, ReactNode } from 'react'
import { linkButtonOf } from '#domain/questionnaire/pages.ts'
import { fillAddress, type Insertions } from '#domain/run/insertions.ts'
import { ChangingText } from '#web/player/content/rich-text.tsx'
import './ahead.css'

/** A link that a script may take over. */
export type Way = Pick<ComponentProps<'a'>, 'href' | 'onClick'>

type Props = {
  /** The words of the button, and where it leads. */
  lead: (string | null | undefined)[] | undefined
  redirect_url?: string | null | undefined
  insertions: Insertions | null
  target: string | undefined
  /** How to stay; set while the visitor is about to be led on. */
  stay?: Way | undefined
  /** What comes between both. */
  children?: ReactNode
}

/**
 * Where an end leads: by its button, which has both words and an address, and by itself once the answers are stored,
 * which is always one press away, as is staying.
 */
export const Ahead = ({
  lead: [text, address] = [],
  redirect_url,
  insertions,
  target,
  stay,
  children,
}: Props) => {
  const lead = linkButtonOf(text, address)
  const linkTo = (given: string) => ({
    href: insertions ? fillAddress(given, insertions) : given,
    target,
    rel: 'noopener',
  })
  return (
    <>
      {lead && (
        <a className="q-next" dir="auto" {...linkTo(lead.address)}>
          {lead.text}
        </a>
      )}
      {children}
      {redirect_url && (
        <div className="q-steps">
          <a className="q-link" {...linkTo(redirect_url)}>
            {`Continuer vers ${redirect_url.split('/')[2]}`}
          </a>
          <p className="q-note" role="status">
            {stay && <ChangingText>La suite s’ouvre dans un instant.</ChangingText>}
          </p>
          {stay && (
            <a className="q-link" {...stay}>
              Rester sur cette page
            </a>
          )}
        </div>
      )}
    </>
  )
}
