import { isBlankText } from '#domain/common/text.ts'
import type { Quiz, Result } from '#domain/questionnaire/quiz.ts'
import type { PublishError } from './publish-error.ts'

const isFilled = (text: string | null): boolean => text !== null && !isBlankText(text)
const MISSING_HALF_REASONS = { text: "n'a pas de texte", url: "n'a pas d'adresse" }

/**
 * Returns an error if a button has a text without an address, or an address without a text. `name` is called only
 * then; `field` is the name of the fields without `_text` and `_url`.
 */
export const buttonErrors = (
  [text, address]: readonly [text: string | null, address: string | null],
  {
    name,
    about,
    field,
  }: { name: () => string; about: Omit<PublishError, 'message'>; field: string },
): PublishError[] => {
  if (isFilled(text) === isFilled(address)) return []
  const missing = isFilled(text) ? 'url' : 'text'
  const message = `${name()} ${MISSING_HALF_REASONS[missing]}`
  return [{ message, ...about, field: `${field}_${missing}` }]
}

/** Returns an error if the button at the end of a sondage is incomplete. */
export const endButtonErrors = ({
  end_button_text,
  end_button_url,
}: Pick<Quiz, 'end_button_text' | 'end_button_url'>): PublishError[] =>
  buttonErrors([end_button_text, end_button_url], {
    name: () => 'Le bouton de la fin',
    about: {},
    field: 'end_button',
  })

/** Returns an error if the button of a result is incomplete. */
export const resultButtonErrors = ({ id, name, button_text, button_url }: Result): PublishError[] =>
  buttonErrors([button_text, button_url], {
    name: () => `Le bouton du résultat "${name}"`,
    about: { result_id: id },
    field: 'button',
  })
