import type {
  AddressForm,
  Corners,
  CorrectionMoment,
  DimensionChart,
  Font,
  Report,
} from '#domain/common/vocabulary.ts'

/** Five colours that a creator can choose. Null means the default of the screen (product 1.5). */
export type QuizColors = {
  bg_color: string | null
  text_color: string | null
  button_color: string | null
  button_text_color: string | null
  accent_color: string | null
}

/** Texts of the buttons of the public page. Null means the default text. */
export type ButtonLabels = {
  /** Button to the next page. */
  next_label: string | null
  /** Button to the previous page. */
  back_label: string | null
  /** Button of the last page, which ends the run. */
  finish_label: string | null
  /** Button that leaves a page with corrections. */
  continue_label: string | null
  /** Button of the end page that starts a new run. */
  restart_label: string | null
  share_label: string | null
  /** Link to the PDF report. */
  report_label: string | null
  /** Link to the certificate. */
  certificate_label: string | null
}

/** Welcome screen, end screen, wording and look of a quiz. Null or blank means the default or nothing. */
export type QuizPage = ButtonLabels & {
  welcome_title: string | null
  welcome_text: string | null
  welcome_button: string | null
  welcome_image_id: string | null
  welcome_image_alt: string | null
  end_title: string | null
  end_text: string | null
  end_button_text: string | null
  end_button_url: string | null
  /** True if the result page shows the total with its tiers, or the share of each profile. */
  shows_detail: boolean
  /** Drawing of the dimensions on the result page. Without dimensions nothing is drawn. */
  dimension_chart: DimensionChart
  /** True if a visitor can start again at the end. */
  allows_restart: boolean
  font: Font
  corners: Corners
  logo_image_id: string | null
  background_image_id: string | null
  /** Moment at which visitors see the right answers and explanations. */
  shows_corrections: CorrectionMoment
  /** Content of the PDF report that participants can download. */
  report: Report
  /** Least percent of the possible points that gives a certificate, 0 to 100; null means no certificate. */
  certificate_percent: number | null
  /** Null means the default title. */
  certificate_title: string | null
  /** Text with insertions. Null means the default text. */
  certificate_text: string | null
  /** Person or organisation that issues the certificate. Null means that the certificate names none. */
  certificate_issuer: string | null
  /** True if a tap on an answer leads to the next page, on pages with one single choice or scale. */
  auto_advance: boolean
  address_form: AddressForm
}
