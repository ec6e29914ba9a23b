import type { EmbedMode } from './embed-snippet.ts'

/** Kinds of sites for which the share dialog explains where to paste the code. */
export type Site =
  | 'html'
  | 'wordpress'
  | 'systeme'
  | 'shopify'
  | 'wix'
  | 'gtm'
  | 'moodle'
  | 'notion'

/** Names of the kinds of sites. */
export const SITES: { value: Site; label: string }[] = [
  { value: 'html', label: 'Site web (HTML)' },
  { value: 'wordpress', label: 'WordPress' },
  { value: 'systeme', label: 'Systeme.io' },
  { value: 'shopify', label: 'Shopify' },
  { value: 'wix', label: 'Wix' },
  { value: 'gtm', label: 'Google Tag Manager' },
  { value: 'moodle', label: 'Moodle' },
  { value: 'notion', label: 'Notion' },
]

/** Names of the ways to show a quiz. */
const OPENINGS: { value: EmbedMode; label: string }[] = [
  { value: 'inline', label: 'Dans la page' },
  { value: 'frame', label: 'Dans la page, sans script' },
  { value: 'address', label: 'Dans la page, par son adresse' },
  { value: 'button', label: 'Dans une fenêtre, par un bouton' },
  { value: 'corner', label: 'Dans une fenêtre, par un bouton fixé dans un coin' },
  { value: 'delay', label: 'Dans une fenêtre, après quelques secondes' },
  { value: 'scroll', label: 'Dans une fenêtre, quand le visiteur fait défiler la page' },
  { value: 'exit', label: 'Dans une fenêtre, quand le visiteur va quitter la page' },
]

/** The only way of sites that remove scripts, or that accept an address alone. */
const ONLY_OPENING: Partial<Record<Site, EmbedMode>> = { moodle: 'frame', notion: 'address' }

/** Returns the ways that a kind of site can show a quiz. */
export const openingsFor = (site: Site): typeof OPENINGS => {
  const only = ONLY_OPENING[site]
  return OPENINGS.filter(({ value }) => (only ? value === only : value !== 'address'))
}

/** Returns true for a way without a script, which tells the site nothing of a run. */
export const isSilent = (opening: EmbedMode): boolean => ['frame', 'address'].includes(opening)

const ONCE = 'La fenêtre s’ouvre une seule fois par onglet, et n’interrompt jamais une saisie.'

/** Explanations of the ways that need one. */
export const OPENING_HINTS: Partial<Record<EmbedMode, string>> = {
  frame: 'Pour les sites qui retirent les scripts. Le cadre garde sa hauteur, et le quiz y défile.',
  address: 'Notion met lui-même l’adresse dans un cadre, dont il garde la hauteur.',
  delay: ONCE,
  scroll: ONCE,
  exit: `Elle s’ouvre quand la souris sort par le haut de la page. Sur un téléphone, rien n’annonce le départ : elle ne s’ouvre pas. ${ONCE}`,
}

/** Returns true if the code marks the place of the quiz; false if any place on the page works. */
const isPlaced = (opening: EmbedMode): boolean =>
  ['inline', 'frame', 'address', 'button'].includes(opening)

const CHECK = 'Enregistrez, puis ouvrez la page pour vérifier.'

/** Steps by site: for a code at its place, and for a code that works on the whole page. */
const STEPS: Record<Site, { placed: string[]; anywhere: string[] }> = {
  html: {
    placed: [
      'Ouvrez le code HTML de la page.',
      'Collez ce code à l’endroit où il doit apparaître.',
      CHECK,
    ],
    anywhere: [
      'Ouvrez le code HTML de la page, ou du modèle commun à toutes les pages.',
      'Collez ce code juste avant </body>.',
      CHECK,
    ],
  },
  wordpress: {
    placed: [
      'Dans l’éditeur de la page, ajoutez un bloc « HTML personnalisé ».',
      'Collez-y ce code. L’adresse seule ne suffit pas : WordPress n’affiche ainsi que les sites qu’il connaît.',
      'Si WordPress retire la ligne <script>, demandez à un administrateur du site de coller le code.',
    ],
    anywhere: [
      'Dans « Apparence », ouvrez le pied de page (« Éditeur », ou « Widgets » avec un thème classique).',
      'Ajoutez un bloc « HTML personnalisé » et collez-y ce code : il vaut pour toutes les pages.',
      CHECK,
    ],
  },
  systeme: {
    placed: [
      'Dans l’éditeur de la page, ajoutez l’élément de code HTML à l’endroit voulu.',
      'Ouvrez ses réglages et collez-y ce code.',
      CHECK,
    ],
    anywhere: [
      'Dans l’éditeur de la page, ouvrez les paramètres de la page, puis le code du pied de page.',
      'Collez-y ce code.',
      CHECK,
    ],
  },
  shopify: {
    placed: [
      'Dans « Boutique en ligne », « Thèmes », cliquez sur « Personnaliser ».',
      'Ajoutez une section « Liquid personnalisé » à l’endroit voulu, et collez-y ce code.',
      CHECK,
    ],
    anywhere: [
      'Dans « Boutique en ligne », « Thèmes », cliquez sur « Personnaliser ».',
      'Dans le groupe du pied de page, ajoutez une section « Liquid personnalisé » et collez-y ce code : il vaut pour toutes les pages.',
      CHECK,
    ],
  },
  gtm: {
    placed: [
      'Google Tag Manager ne place rien dans une page : collez la première ligne dans le HTML de la page, à l’endroit voulu.',
      'Dans Google Tag Manager, créez une balise « HTML personnalisé » et collez-y la ligne <script>.',
      'Déclenchez la balise sur cette page, publiez le conteneur, puis ouvrez la page pour vérifier.',
    ],
    anywhere: [
      'Dans Google Tag Manager, créez une balise « HTML personnalisé » et collez-y les deux lignes.',
      'Déclenchez la balise sur les pages voulues, par exemple avec « All Pages ».',
      'Publiez le conteneur, puis ouvrez la page pour vérifier.',
    ],
  },
  moodle: {
    placed: [
      'Dans l’éditeur de Moodle, affichez le code source (« HTML » ou « <> »).',
      'Collez-y ce code. Le nombre après « height » est la hauteur du cadre, en pixels.',
      CHECK,
    ],
    anywhere: [],
  },
  notion: {
    placed: [
      'Dans la page de Notion, tapez « /intégrer », puis choisissez « Intégrer ».',
      'Collez-y cette adresse, puis agrandissez le cadre.',
      'Partagez la page et ouvrez-la pour vérifier.',
    ],
    anywhere: [],
  },
  wix: {
    placed: [
      'Dans l’éditeur, ajoutez l’élément « Intégrer du code », puis « HTML intégré ».',
      'Collez-y ce code, puis agrandissez le cadre : Wix y enferme le code, et sa hauteur ne suit pas le contenu.',
      'Pour une fenêtre sur toute la page, choisissez plutôt le bouton fixé dans un coin.',
    ],
    anywhere: [
      'Dans les paramètres du site, ouvrez « Code personnalisé » (Wix le réserve aux sites avec un nom de domaine).',
      'Ajoutez ce code à la fin du corps (« Body - end »), sur les pages voulues.',
      CHECK,
    ],
  },
}

/** Returns the steps for adding the code to a site. */
export const stepsFor = (site: Site, opening: EmbedMode): string[] =>
  STEPS[site][isPlaced(opening) ? 'placed' : 'anywhere']
