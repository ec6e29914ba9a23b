/**
 * A text that changes while its page is shown. The translation of a browser replaces text nodes by its own
 * elements, and React and Preact still write to the detached nodes. The key replaces the element with every
 * text, and the translation with it.
 */
export const ChangingText = ({ children }: { children: string }) => (
  <span key={children}>{children}</span>
)
