/**
 * Word that a mail program may turn into a link. Such a word has an @, a backslash, two slashes, a scheme, or a dot
 * before two characters. Initials (J.-P.) and alternatives (A/B) do not match.
 */
const LINKABLE =
  /[@\uff20\ufe6b\\]|[/\uff0f]{2}|[\p{L}\d][:\uff1a\ufe55]+[^\s:]|[.\u2024\u3002\uff0e\uff61\ufe52][\p{L}\d][\p{L}\p{M}\d-]/u

/** Returns true if a mail program may turn a word into a link. */
export const isLinkable = (word: string): boolean => LINKABLE.test(word)
