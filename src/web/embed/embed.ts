/**
 * What other sites load beside a quiz: its frames become as high as their pages, and a button with
 * `data-quizaine` opens its quiz in a dialog. Styles are set one by one, as strict policies want.
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
    // A site may hold this script once for each of its quizzes.
    if (event.defaultPrevented || !opener || !src?.startsWith(`${origin}/`)) return
    event.preventDefault()
    const dialog = document.createElement('dialog')
    const close = document.createElement('button')
    const frame = document.createElement('iframe')
    close.textContent = 'Fermer'
    close.style.minHeight = '3rem'
    dialog.ariaLabel = frame.title = opener.textContent
    frame.src = src
    // Held at its top: what closes it stays under the pointer while the quiz finds its height.
    dialog.style.cssText = 'width:min(44rem,94vw);margin:5vh auto'
    frame.style.cssText = 'display:block;width:100%;height:70vh;border:0'
    close.onclick = () => dialog.close()
    dialog.onclose = () => dialog.remove()
    dialog.append(close, frame)
    document.body.append(dialog)
    dialog.showModal()
  })
})()
