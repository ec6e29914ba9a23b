/** What is shown before the first page of a questionnaire, and after the last one of a sondage. A snapshot has no blank text. */

export const WELCOME_BUTTON = 'Commencer'
export const END_TITLE = 'Merci pour votre participation !'

/** True when a screen of welcome comes before the first page: its title or its text is written. */
export const hasWelcome = ({
  welcome_title,
  welcome_text,
}: {
  welcome_title?: unknown
  welcome_text?: unknown
}): boolean => !!(welcome_title || welcome_text)

/** A button that leads away from the end: undefined unless both its text and its address are given. */
export const leadOf = (
  text: string | null | undefined,
  address: string | null | undefined,
): { text: string; address: string } | undefined =>
  text && address ? { text, address } : undefined
