/** HTML that shows a quiz on another site: the share dialog offers it, and oEmbed returns it. */

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for an HTML attribute in double quotes, or for the content of an element. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)

/** Returns the address of a quiz in a frame of another site, from its public link. */
export const framedAddress = (link: string): string => `${link}?embed=1`

/**
 * Returns the frame of a quiz. The code has no inline style, because strict content security policies block them.
 * `height` is in pixels.
 */
export const frameCode = ({
  link,
  title,
  width,
  height,
}: {
  link: string
  title: string
  width: string | number
  height: number
}): string =>
  `<iframe src="${framedAddress(link)}" title="${escapeMarkup(title)}" width="${width}" height="${height}" frameborder="0" loading="lazy"></iframe>`
