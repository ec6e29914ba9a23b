/**
 * The script of a framed quiz: posts the height of the page, and the visitor's wish to close it; takes the parameters of
 * the page around it into its own address, where the player reads them.
 */
const page = document.body
// The height is no secret: it is posted to any origin.
const post = (quizaine: number | 'close'): void => parent.postMessage({ quizaine }, '*')

const postHeight = (): void => post(Math.ceil(page.offsetHeight))

new ResizeObserver(postHeight).observe(page)
// The site's script may be loaded after the page, and has then missed the first message.
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
