import {
  ADDRESS_FORMS,
  type AddressForm,
  CORNERS,
  CORRECTION_MOMENTS,
  type Corners,
  type CorrectionMoment,
  DIMENSION_CHARTS,
  type DimensionChart,
  FONTS,
  type Font,
  LIMITS,
  REPORTS,
  type Report,
} from '#domain/common/vocabulary.ts'
import {
  type FieldNames,
  flagField,
  listField,
  numberField,
  referenceField,
  textField,
} from './field.ts'
import { FONT_NAMES } from './font-names.ts'

/** Records of the fields of the public page, in the order of the text format. */

const buttonLabel = (label: string, key: string) =>
  textField(LIMITS.button_label, { label, key, audience: 'page', part: 'wording' })
/** Texts of the buttons of the public page. Null means the default text. */
export const BUTTON_LABEL_FIELDS = {
  next_label: buttonLabel('Bouton « Suivant »', 'Bouton suivant'),
  back_label: buttonLabel('Bouton « Précédent »', 'Bouton précédent'),
  finish_label: buttonLabel('Bouton de la dernière page', 'Bouton de fin'),
  /** Button that leaves a page with corrections. */
  continue_label: buttonLabel('Bouton « Continuer »', 'Bouton continuer'),
  restart_label: buttonLabel('Bouton « Recommencer »', 'Bouton recommencer'),
  share_label: buttonLabel('Bouton « Partager mon résultat »', 'Bouton de partage'),
  report_label: buttonLabel('Lien du rapport', 'Lien du rapport'),
  certificate_label: buttonLabel('Lien de l’attestation', 'Lien de l’attestation'),
}

const ON_WELCOME = { audience: 'page', part: 'welcome', step: 'questions' } as const
const ON_END = { audience: 'page', part: 'end', step: 'questions' } as const
const ON_ENDING = { audience: 'page', part: 'ending', step: 'results' } as const
const IN_REPORT = { audience: 'snapshot', part: 'report', step: 'results' } as const
const inLook = (names: Pick<FieldNames, 'label' | 'audience'>) =>
  ({ ...names, key: names.label, part: 'look' }) as const

/** Welcome screen, end screen, wording and look of a quiz. Null or blank means the default or nothing. */
export const PAGE_FIELDS = {
  welcome_title: textField(LIMITS.title, {
    label: 'Titre de l’accueil',
    key: 'Titre',
    ...ON_WELCOME,
  }),
  welcome_button: textField(LIMITS.button_text, {
    label: 'Bouton de l’accueil',
    key: 'Bouton',
    ...ON_WELCOME,
  }),
  welcome_text: textField(LIMITS.description, {
    label: 'Texte de l’accueil',
    key: 'Texte',
    is_long: true,
    ...ON_WELCOME,
  }),
  welcome_image_id: referenceField('image', { label: 'Image de l’accueil', ...ON_WELCOME }),
  welcome_image_alt: textField(LIMITS.image_alt, {
    label: 'Description de l’image de l’accueil',
    ...ON_WELCOME,
  }),
  end_title: textField(LIMITS.title, { label: 'Titre de la fin', key: 'Titre', ...ON_END }),
  end_text: textField(LIMITS.description, {
    label: 'Texte de la fin',
    key: 'Texte',
    is_long: true,
    ...ON_END,
  }),
  end_button_text: textField(LIMITS.button_text, {
    label: 'Bouton de la fin',
    key: 'Bouton',
    ...ON_END,
  }),
  end_button_url: referenceField('link', {
    label: 'Adresse du bouton de la fin',
    key: 'Adresse du bouton',
    ...ON_END,
  }),
  /** True if the result page shows the total with its tiers, or the share of each profile. */
  shows_detail: flagField({ label: 'Détail du résultat', key: true, ...ON_ENDING }),
  /** Drawing of the dimensions on the result page. Without dimensions nothing is drawn. */
  dimension_chart: listField<DimensionChart>(DIMENSION_CHARTS, 'bars', {
    label: 'Graphique des dimensions',
    key: 'Graphique',
    names: { none: 'Aucun', bars: 'Barres', radar: 'Radar' },
    audience: 'page',
    part: 'dimension_chart',
    step: 'results',
  }),
  /** True if a visitor can start again at the end. */
  allows_restart: flagField({ label: 'Recommencer', key: true, ...ON_ENDING }),
  /** Moment at which visitors see the right answers and explanations. */
  shows_corrections: listField<CorrectionMoment>(CORRECTION_MOMENTS, 'never', {
    label: 'Corrections',
    key: true,
    names: { never: 'Jamais', page: 'Après chaque page', end: 'À la fin' },
    audience: 'page',
    part: 'corrections',
    step: 'results',
  }),
  /** Content of the PDF report that participants can download. */
  report: listField<Report>(REPORTS, 'none', {
    label: 'Rapport',
    key: true,
    names: { none: 'Aucun', result: 'Résultat', replies: 'Résultat et réponses' },
    ...IN_REPORT,
  }),
  /** Least percent of the possible points that gives a certificate, 0 to 100; null means no certificate. */
  certificate_percent: numberField([0, 100], {
    label: 'Pourcentage de l’attestation',
    key: 'Attestation à partir de',
    unit: '%',
    example: 'un pourcentage de 0 à 100, par exemple « 80 % ».',
    ...IN_REPORT,
  }),
  /** Null means the default title. */
  certificate_title: textField(LIMITS.title, {
    label: 'Titre de l’attestation',
    key: true,
    ...IN_REPORT,
  }),
  /** Text with insertions. Null means the default text. */
  certificate_text: textField(LIMITS.certificate_text, {
    label: 'Texte de l’attestation',
    key: true,
    ...IN_REPORT,
  }),
  /** Person or organisation that issues the certificate. Null means that the certificate names none. */
  certificate_issuer: textField(LIMITS.certificate_issuer, {
    label: 'Organisme ou personne qui délivre l’attestation',
    key: 'Attestation délivrée par',
    ...IN_REPORT,
  }),
  /** True if a tap on an answer leads to the next page, on pages with one single choice or scale. */
  auto_advance: flagField({
    label: 'Avance automatique',
    key: true,
    audience: 'snapshot',
    part: 'auto_advance',
  }),
  address_form: listField<AddressForm>(ADDRESS_FORMS, 'vous', {
    label: 'Vouvoiement ou tutoiement',
    key: 'S’adresser avec',
    names: { vous: 'Vous', tu: 'Tu' },
    audience: 'page',
    part: 'wording',
  }),
  ...BUTTON_LABEL_FIELDS,
  font: listField<Font>(FONTS, 'system', {
    ...inLook({ label: 'Police', audience: 'snapshot' }),
    names: { ...FONT_NAMES, system: 'Celle du visiteur (la plus rapide)' },
    words: { ...FONT_NAMES, system: 'celle du visiteur' },
  }),
  corners: listField<Corners>(CORNERS, 'soft', {
    ...inLook({ label: 'Coins', audience: 'snapshot' }),
    names: { square: 'Droits', soft: 'Adoucis', round: 'Arrondis' },
  }),
  logo_image_id: referenceField('image', inLook({ label: 'Logo', audience: 'page' })),
  background_image_id: referenceField(
    'image',
    inLook({ label: 'Image de fond', audience: 'snapshot' }),
  ),
}
