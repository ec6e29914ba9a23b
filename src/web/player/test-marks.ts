/**
 * What the page of a test shows besides, in the same colours in every look: above each page that it is one, and below
 * the end where its owner sees what would have been sent.
 */
export const testHeader =
  '<header class=q-test>Mode test : vos réponses ne sont ni comptées ni envoyées.</header>'

/** Behind the end; without a script it opens as well. */
export const testFooter = (quiz_id: string): string =>
  `<aside class="q-test q-sent" aria-label="Mode test"><a href=/quiz/${quiz_id}/essais target=_blank rel=noopener>Voir ce qui aurait été envoyé</a></aside>`

export const TEST_STYLE = [
  '.q-test{padding:.75rem 1rem;background:#3b2a00;color:#ffe9a8;text-align:center;font:1rem/1.5 system-ui,sans-serif}',
  '.q-test a{color:inherit}',
  // Turning to a page leads to its title, and shows what stands above it.
  '.q-title{scroll-margin-top:50vh}',
  'main:not(:has(.q-ending))+.q-sent{display:none}',
].join('')
