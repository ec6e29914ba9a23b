import type { HelpPlace } from '#domain/help/help-places.ts'

/** Renders a small link « ? » that opens the page of the help about a subject in a new tab. */
export const HelpLink = ({ about, page }: HelpPlace) => (
  <a
    href={`/aide/${page}`}
    target="_blank"
    aria-label={`Aide : ${about}`}
    className="help"
    rel="noopener"
  >
    ?
  </a>
)
