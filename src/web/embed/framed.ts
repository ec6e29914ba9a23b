/** The quiz's end of a frame: says how high the page is, and that the visitor wants to close it. */
const page = document.body
// How high a quiz is tells nobody anything: whoever frames it may know.
const tell = (quizaine: number | 'close'): void => parent.postMessage({ quizaine }, '*')

const tellHeight = (): void => tell(Math.ceil(page.offsetHeight))

new ResizeObserver(tellHeight).observe(page)
// The site's script may come after the page, and has then heard of nothing.
setInterval(tellHeight, 1_000)
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') tell('close')
})
