/** @jsxImportSource #web/player */
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import { parts } from '#web/player/parts.ts'
import type { EndLinks } from './end-props.ts'

/** Renders the address to confirm, and the links to the documents and the page of the participant; null if there are none. */
export const Documents = ({
  quiz,
  links,
}: {
  quiz: WordingSettings
  links: EndLinks | undefined
}) => {
  const { report, certificate, own_page, asked_email } = links?.documents ?? {}
  if (!report && !certificate && !own_page && !asked_email) return null
  const linkTo = (href: string, label: string) => (
    // A frame may be part of a course or an order, which the visitor must not leave.
    <a className="q-link" href={href} target={links?.target && '_blank'} rel="noopener">
      {parts.wordingOf(quiz, label)}
    </a>
  )
  return (
    <div className="q-steps q-docs">
      {asked_email && (
        <p className="q-asked" role="status">
          {parts.wordingOf(quiz, 'Confirmez votre adresse : un email vient de partir à')}{' '}
          <b dir="ltr">{asked_email}</b>
        </p>
      )}
      {report && linkTo(report, 'Télécharger mon rapport (PDF)')}
      {certificate && linkTo(certificate, 'Télécharger mon attestation (PDF)')}
      {own_page && linkTo(own_page, 'Ouvrir ma page')}
    </div>
  )
}
