/** @jsxImportSource #web/player */
import type { ReactNode } from 'react'
import { linkButtonOf } from '#domain/questionnaire/pages.ts'
import type { Insertions } from '#domain/run/rich-text.ts'
import { parts } from '#web/player/parts.ts'
import type { LinkProps } from './end-props.ts'
import './next-steps.css'

type Props = {
  /** The label and the address of the button. */
  lead: (string | null | undefined)[] | undefined
  redirect_url?: string | null | undefined
  insertions: Insertions | null
  target: string | undefined
  /** Props of the link that cancels the redirect; undefined unless a redirect is scheduled. */
  stay?: LinkProps | undefined
  /** Content between the button and the link of the redirect. */
  children?: ReactNode
}

/**
 * Renders the links of the end: a button if it has both a label and an address, and the redirect of the result. The
 * redirect happens by itself once the answers are stored, and the visitor can cancel it.
 */
export const NextSteps = ({
  lead: [text, address] = [],
  redirect_url,
  insertions,
  target,
  stay,
  children,
}: Props) => {
  const lead = linkButtonOf(text, address)
  const linkTo = (url: string) => ({
    href: (insertions && parts.fillAddress?.(url, insertions)) ?? url,
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
            {stay && 'La suite s’ouvre dans un instant.'}
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
