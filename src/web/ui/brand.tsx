const PAGES = {
  '/confidentialite': 'Confidentialité',
  '/accessibilite': 'Accessibilité',
  '/mentions-legales': 'Mentions légales',
}

/** Renders links to the legal pages, which the server renders. */
export const LegalLinks = () => (
  <nav
    aria-label="Informations légales"
    className="flex flex-wrap justify-center gap-x-4 text-sm text-ink-2"
  >
    {Object.entries(PAGES).map(([path, name]) => (
      <a
        key={path}
        href={path}
        className="inline-flex min-h-6 items-center underline pointer-coarse:min-h-11 pointer-coarse:min-w-11"
      >
        {name}
      </a>
    ))}
  </nav>
)

/** Renders the brand mark in the two default colours of the public pages. */
const BrandMark = () => (
  <svg aria-hidden="true" viewBox="0 0 26 26" className="size-6.5 shrink-0">
    <circle cx="12.5" cy="12.5" r="9" fill="none" stroke="var(--color-teal)" strokeWidth="5" />
    <circle cx="21" cy="21" r="4" fill="var(--color-apricot)" />
  </svg>
)

/** Renders the brand mark and the name of the product. */
export const Brand = () => (
  <span className="inline-flex items-center gap-2.5 text-[17px] font-semibold tracking-tight">
    <BrandMark />
    Quizaine
  </span>
)
