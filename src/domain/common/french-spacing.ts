/**
 * Returns a text in French typography, for display: no line begins with punctuation. A narrow no-break space precedes
 * « ? ! ; », and a no-break space precedes « : » and stands inside quotation marks. Old browsers know no lookbehind.
 */
export const tiePunctuation = (text: string): string =>
  text.replace(/ (?=[!?;])/g, '\u202f').replace(/ (?=[:»])|(«) /g, '$1\u00a0')
