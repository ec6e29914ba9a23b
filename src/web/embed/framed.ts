/** The script of a framed quiz: posts the height of the page, and the visitor's wish to close it. */
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
