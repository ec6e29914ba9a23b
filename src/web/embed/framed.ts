/**
 * The script of a framed quiz. It posts the height of the page and the visitor's wish to close it. It copies the
 * parameters of the surrounding page into its own address, where the player reads them.
 */
const page = document.body
// Posted to any origin, because the height is no secret.
const post = (quizaine: number | 'close'): void => parent.postMessage({ quizaine }, '*')

const postHeight = (): void => post(Math.ceil(page.offsetHeight))

new ResizeObserver(postHeight).observe(page)
// Repeated, because a site's script that loads after the page has missed the first message.
setInterval(postHeight, 1_000)
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') post('close')
})
addEventListener('message', ({ source, data }) => {
  const said: unknown = data?.quizaine
  if (source !== parent || typeof said !== 'string') return
  const address = new URL(location.href)
  for (const [name, value] of new URLSearchParams(said))
    if (!address.searchParams.has(name)) address.searchParams.set(name, value)
  if (address.href !== location.href && address.href.length < 4_000)
    history.replaceState(history.state, '', address)
})
