import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'

/** Ways to show a quiz on another site: an inline frame, or a popup opened by a button. */
export type EmbedKind = 'inline' | 'popup'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)

/** Returns the HTML that a creator pastes into another site. */
export const embedSnippet = (
  kind: EmbedKind,
  { link, quiz }: { link: string; quiz: Pick<Quiz, 'name' | 'type'> },
): string => {
  const address = `${link}?embed=1`
  const script = `<script src="${new URL('/embed.js', link).href}" async></script>`
  const shown =
    kind === 'inline'
      ? `<iframe src="${address}" title="${escaped(quiz.name)}" width="100%" height="600" style="border:0" loading="lazy"></iframe>`
      : `<button type="button" data-quizaine="${address}">Répondre au ${quizNoun(quiz)}</button>`
  return `${shown}\n${script}`
}
