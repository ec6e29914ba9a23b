import type { DimensionChart, Report } from '#domain/common/vocabulary.ts'
import type { QuizColors, QuizPage } from '#domain/questionnaire/look/quiz-page.ts'
import type { QuizOpening, QuizTies } from '#domain/questionnaire/quiz.ts'
import { PICTURE_LABELS } from './field-labels.ts'

/** French labels of the fields of a quiz, its results and its dimensions. */

/** French labels of the five colours on the settings screen (product 1.5). */
export const COLOR_LABELS: Record<keyof QuizColors, string> = {
  bg_color: 'Fond',
  text_color: 'Texte',
  button_color: 'Bouton',
  button_text_color: 'Texte du bouton',
  accent_color: 'Accent',
}

/** French labels of the page fields of a quiz, for conflicts and undo messages. */
export const PAGE_LABELS: Record<keyof QuizPage, string> = {
  welcome_title: 'Titre de l’accueil',
  welcome_text: 'Texte de l’accueil',
  welcome_button: 'Bouton de l’accueil',
  welcome_image_id: 'Image de l’accueil',
  welcome_image_alt: 'Description de l’image de l’accueil',
  end_title: 'Titre de la fin',
  end_text: 'Texte de la fin',
  end_button_text: 'Bouton de la fin',
  end_button_url: 'Adresse du bouton de la fin',
  shows_detail: 'Détail du résultat',
  dimension_chart: 'Graphique des dimensions',
  allows_restart: 'Recommencer',
  font: 'Police',
  corners: 'Coins',
  logo_image_id: 'Logo',
  background_image_id: 'Image de fond',
  shows_corrections: 'Corrections',
  report: 'Rapport',
  certificate_percent: 'Pourcentage de l’attestation',
  certificate_title: 'Titre de l’attestation',
  certificate_text: 'Texte de l’attestation',
  certificate_issuer: 'Organisme ou personne qui délivre l’attestation',
  auto_advance: 'Avance automatique',
  address_form: 'Vouvoiement ou tutoiement',
  next_label: 'Bouton « Suivant »',
  back_label: 'Bouton « Précédent »',
  finish_label: 'Bouton de la dernière page',
  continue_label: 'Bouton « Continuer »',
  restart_label: 'Bouton « Recommencer »',
  share_label: 'Bouton « Partager mon résultat »',
  report_label: 'Lien du rapport',
  certificate_label: 'Lien de l’attestation',
}

/** French labels of the address, the opening time and the closing conditions of a quiz. */
export const OPENING_LABELS: Record<keyof QuizOpening, string> = {
  slug: 'Adresse du questionnaire',
  opens_at: 'Date et heure d’ouverture',
  closes_at: 'Date et heure de clôture',
  max_responses: 'Nombre maximum de participants',
  closed_text: 'Texte du questionnaire clos',
}

/** French labels of the tie rule fields. */
export const TIE_LABELS: Record<keyof QuizTies, string> = {
  tie_rule: 'En cas d’égalité',
  tie_question_id: 'Question qui départage',
}

/** French labels of the fields of a result. */
export const RESULT_LABELS: Record<string, string> = {
  name: 'Nom',
  description: 'Description',
  min_score: 'Palier minimum',
  max_score: 'Palier maximum',
  button_text: 'Bouton',
  button_url: 'Adresse du bouton',
  redirect_url: 'Redirection',
  place: 'Place',
  ...PICTURE_LABELS,
}

/** Fields of the button and the redirection of a result. */
export const LINK_FIELDS = ['button_text', 'button_url', 'redirect_url'] as const
/** Field of the button or the redirection of a result. */
export type LinkField = (typeof LINK_FIELDS)[number]

/** French names of the contents of the report. */
export const REPORT_LABELS: Record<Report, string> = {
  none: 'Aucun',
  result: 'Résultat',
  replies: 'Résultat et réponses',
}
/** French names of the charts of dimensions. */
export const DIMENSION_CHART_LABELS: Record<DimensionChart, string> = {
  none: 'Aucun',
  bars: 'Barres',
  radar: 'Radar',
}

/** French labels of the fields of a dimension. */
export const DIMENSION_LABELS: Record<string, string> = {
  name: 'Nom',
  description: 'Description',
  tiers: 'Paliers',
  place: 'Place',
}
