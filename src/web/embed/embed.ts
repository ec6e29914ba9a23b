/**
 * The script that other sites load next to a quiz. It sets the height of the frames, tells them the `utm_` parameters
 * of the site's page, and opens the quiz of a `data-quizaine` button in a dialog. Styles are set through the CSSOM,
 * which strict content security policies allow.
 */
;(() => {
  const script = document.currentScript as HTMLScriptElement | null
  const origin = script && new URL(script.src).origin
  const came = location.search.match(/\butm_[^&]*/g)?.join('&')
  const make = <Name extends keyof HTMLElementTagNameMap>(name: Name) =>
    document.createElement(name)

  addEventListener('message', ({ data, origin: from, source }) => {
    if (from !== origin) return
    const said = data?.quizaine
    for (const frame of document.querySelectorAll('iframe')) {
      if (frame.contentWindow !== source) continue
      if (Number.isInteger(said)) frame.style.height = `${Math.min(said, 2e4)}px`
      // Sent with every message, because a frame may have been loaded again.
      if (came) (source as Window).postMessage({ quizaine: came }, origin)
      if (said === 'close') frame.closest('dialog')?.close()
    }
  })

  addEventListener('click', (event) => {
    // A document has no `closest`.
    const target = event.target as Partial<HTMLElement>
    const opener = target.closest?.<HTMLElement>('[data-quizaine]')
    // A page may load this script once for each of its quizzes.
    if (event.defaultPrevented || !opener) return
    const { quizaine } = opener.dataset
    if (!quizaine?.startsWith(`${origin}/`)) return
    event.preventDefault()
    const dialog = make('dialog')
    const close = make('button')
    const frame = make('iframe')
    close.textContent = 'Fermer'
    close.style.minHeight = '3rem'
    dialog.ariaLabel = frame.title = opener.textContent
    frame.src = quizaine
    // Fixed at the top, so that the close button stays under the pointer while the height changes.
    dialog.style.cssText = 'width:min(44rem,94vw);margin:5vh auto'
    frame.style.cssText = 'display:block;width:100%;height:70vh;border:0'
    close.onclick = () => dialog.close()
    dialog.onclose = () => dialog.remove()
    dialog.append(close, frame)
    document.body.append(dialog)
    dialog.showModal()
  })
})()
