import { parts, type SecondFileParts } from '#web/player/parts.ts'

/**
 * Returns the listeners of an email field. The first focus loads the file that finds typing slips; later events show or
 * hide its suggestion.
 */
export const emailProps: SecondFileParts['emailProps'] = (field) => {
  const update = (event: { type: string; currentTarget: HTMLInputElement }): void => {
    parts.loadEmailSlips?.()
    parts.updateSuggestion?.(field, event)
  }
  return { onFocus: update, onBlur: update, onChange: update, onInput: update }
}
