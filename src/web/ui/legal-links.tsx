const PAGES = {
  '/confidentialite': 'Confidentialité',
  '/accessibilite': 'Accessibilité',
  '/mentions-legales': 'Mentions légales',
}

/** Links to the legal pages, which the server renders. */
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
