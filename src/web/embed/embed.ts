/**
 * The script that other sites load beside a quiz: it sets the height of the frames to that of their pages, and
 * opens the quiz of a `data-quizaine` button in a dialog. Styles are set through the CSSOM, which strict content
 * security policies allow.
 */
;(() => {
  const { currentScript } = document
  const origin = currentScript instanceof HTMLScriptElement && new URL(currentScript.src).origin

  addEventListener('message', (event) => {
    if (event.origin !== origin) return
    const said: unknown = event.data?.quizaine
    for (const frame of document.querySelectorAll('iframe')) {
      if (frame.contentWindow !== event.source) continue
      if (Number.isInteger(said)) frame.style.height = `${Math.min(Number(said), 2e4)}px`
      if (said === 'close') frame.closest('dialog')?.close()
    }
  })

  addEventListener('click', (event) => {
    const { target } = event
    const opener = target instanceof Element ? target.closest('[data-quizaine]') : null
    const src = opener?.getAttribute('data-quizaine')
    // A page may load this script once for each of its quizzes.
    if (event.defaultPrevented || !opener || !src?.startsWith(`${origin}/`)) return
    event.preventDefault()
    const dialog = document.createElement('dialog')
    const close = document.createElement('button')
    const frame = document.createElement('iframe')
    close.textContent = 'Fermer'
    close.style.minHeight = '3rem'
    dialog.ariaLabel = frame.title = opener.textContent
    frame.src = src
    // Fixed at the top: the close button stays under the pointer while the height changes.
    dialog.style.cssText = 'width:min(44rem,94vw);margin:5vh auto'
    frame.style.cssText = 'display:block;width:100%;height:70vh;border:0'
    close.onclick = () => dialog.close()
    dialog.onclose = () => dialog.remove()
    dialog.append(close, frame)
    document.body.append(dialog)
    dialog.showModal()
  })
})()
