/**
 * A text that changes while its page is shown. A browser's translation replaces text nodes by elements of its
 * own, and React and Preact go on writing to the nodes that are no longer shown. The key makes the element
 * anew with every text, so that a translation goes together with the text that it translates.
 */
export const ChangingText = ({ children }: { children: string }) => (
  <span key={children}>{children}</span>
)
